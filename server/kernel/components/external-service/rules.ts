// Rules for external services before their description is imported.
import type { Rule } from '../define.ts'
import { errorFinding } from '../report.ts'

const someOperation: Rule<'external_service'> = (service) => {
  if (service.body.operations?.length !== 0) return []
  const message = `${service.key} does not select any operation. Add some to "operations", or remove it to generate all.`
  return [errorFinding(service, '/body/operations', 'service.operation', message)]
}

export const externalServiceRules: readonly Rule<'external_service'>[] = [someOperation]
