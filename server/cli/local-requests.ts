// Change requests of an org in a folder of this machine.
import type { Actor } from '../access/index.ts'
import { lazyMap, type ApplyOutcome, type ChangeRow } from '../pipeline/index.ts'
import type { ChangeRequests } from '../requests/index.ts'
import type { ApplyResult, RequestsApi, ShownChange } from './org-api.ts'

export interface LocalRequestsDeps {
  requests: () => ChangeRequests
  by: Actor
  shownChange: (row: ChangeRow) => ShownChange
  applied: (outcome: ApplyOutcome) => ApplyResult
}

export function localRequests({ requests, by, shownChange, applied }: LocalRequestsDeps): RequestsApi {
  return {
    list: async (states, limit) => (await requests().list(by, { states, limit })).requests,
    get: async (id) => {
      const { changes, ...detail } = await requests().get(by, id)
      return { ...detail, changes: lazyMap(changes, shownChange) }
    },
    create: async (source, terms) => {
      const { request, outcome } = await requests().create(by, { source, ...terms })
      return { ...request, findings: outcome.findings }
    },
    approve: (id, digest, comment) => requests().approve(by, id, { digest, comment }),
    reject: (id, reason) => requests().reject(by, id, reason),
    withdraw: (id, reason) => requests().withdraw(by, id, reason),
    comment: (id, text) => requests().comment(by, id, text),
    schedule: (id, applyOn) => requests().schedule(by, id, applyOn),
    apply: async (id, digest) => applied((await requests().apply(by, id, { digest })).outcome),
    requiredApprovals: async () => requests().requiredApprovals(),
    setRequiredApprovals: (required) => requests().setRequiredApprovals(by, required),
  }
}
