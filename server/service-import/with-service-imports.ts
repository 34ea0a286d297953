// An org whose applies import the descriptions that they need first.
import type { ApplyRequest, Org, ServiceImports } from '../pipeline/index.ts'
import type { ImportNeed } from './import-need.ts'
import { importNeeds, type ImportNeedsDeps } from './import-needs.ts'
import type { ImportCaller } from './service-imports.ts'

/** Where descriptions are imported: here, or in the thread that has the secrets. */
export type ImportRunner = (needs: readonly ImportNeed[], caller: ImportCaller) => Promise<ServiceImports>

export function withServiceImports<O extends Org>(
  org: O,
  access: ImportNeedsDeps['access'],
  run: ImportRunner,
): O {
  const { store, sha256, ids } = org
  const prepare = async (request: ApplyRequest): Promise<ApplyRequest> => {
    const needs = importNeeds({ store, sha256, access }, request)
    if (needs.length === 0) return request
    const { actor, correlationId = ids.uuid() } = request
    return { ...request, imports: await run(needs, { actor, correlationId }) }
  }
  return {
    ...org,
    plan: async (request) => org.plan(await prepare(request)),
    apply: async (request, kind, companion) => org.apply(await prepare(request), kind, companion),
    submit: async (request, terms) => org.submit(await prepare(request), terms),
  }
}
