// An external service is not applied without its description: nothing could check the calls of its operations.
import { afterOf, type Change } from '#kernel/change/index.ts'
import { hasErrors, type Finding } from '#kernel/errors/finding.ts'
import type { DescriptionReader } from '../ports/descriptions.ts'

/** @param earlier the findings of the import, which have the reason */
export function unimportedFindings(
  descriptions: DescriptionReader,
  changes: readonly Change[],
  earlier: readonly Finding[],
): Finding[] {
  return changes.flatMap((change) => {
    const service = afterOf(change)
    if (service?.type !== 'external_service') return []
    const { hash } = service.body.spec
    if (hash !== undefined && descriptions.facts(hash) !== undefined) return []
    if (hasErrors(earlier.filter(({ component }) => component === change.id))) return []
    const message = `The description of ${service.key} is not imported. Apply it where its source can be read.`
    return [
      {
        ...{ severity: 'error', code: 'service.import', component: change.id, path: '/body/spec', message },
        related: [],
      },
    ]
  })
}
