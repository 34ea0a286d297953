// Change requests of an org in a folder of this machine.
import type { Actor } from '../access/index.ts'
import type { ApplyOutcome } from '../pipeline/index.ts'
import { requestDetailView, submittedView, type ChangeRequests } from '../requests/index.ts'
import type { AppliedList, RequestsApi } from './org-api.ts'

export function localRequests(
  requests: () => ChangeRequests,
  by: Actor,
  applied: (outcome: ApplyOutcome) => AppliedList,
): RequestsApi {
  return {
    list: async (states, limit) => (await requests().list(by, { states, limit })).requests,
    get: async (id) => requestDetailView(await requests().get(by, id)),
    create: async (source, terms) => submittedView(await requests().create(by, { source, ...terms })),
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
