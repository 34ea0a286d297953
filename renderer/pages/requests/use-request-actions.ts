// The user's actions on the open request; each is bound to what the user saw.
import {
  applyRequest,
  approveRequest,
  commentOnRequest,
  editRequest,
  rejectRequest,
  scheduleRequest,
  withdrawRequest,
} from '../../api/requests.ts'
import type { ComponentId, RequestDetail } from '../../api/wire.ts'
import { useDocuments } from '../../stores/documents.ts'
import { useOrg } from '../../stores/org.ts'
import { useRequests } from '../../stores/requests.ts'
import { useAction } from '../../stores/use-action.ts'
import { useUi } from '../../stores/ui.ts'

/** Shared by the page and the decision next to it. */
const { working, failure, run } = useAction()

export function useRequestActions() {
  const requests = useRequests()
  const ui = useUi()
  const org = useOrg()
  const documents = useDocuments()

  /** Returns whether it succeeded. */
  async function act(go: (request: RequestDetail) => Promise<string>): Promise<boolean> {
    const request = requests.detail
    if (request === null) return false
    const done = await run(async () => {
      try {
        ui.notify(await go(request))
      } finally {
        await Promise.all([requests.open(request.id), requests.load()])
      }
      return true
    })
    return done ?? false
  }

  return {
    working,
    failure,
    approve: (comment: string) =>
      act(async (seen) => {
        const { state } = await approveRequest(seen.id, seen, comment)
        return state === 'approved' ? 'Approved; it can be applied.' : 'Approved; more approvals are needed.'
      }),
    reject: (reason: string) => act(({ id }) => rejectRequest(id, reason).then(() => 'Rejected.')),
    withdraw: (reason: string) => act(({ id }) => withdrawRequest(id, reason).then(() => 'Withdrawn.')),
    comment: (text: string) => act(({ id }) => commentOnRequest(id, text).then(() => 'Comment added.')),
    schedule: (on: string | null) =>
      act(({ id }) => scheduleRequest(id, on).then(() => (on === null ? 'Date removed.' : 'Date set.'))),
    apply: () =>
      act(async (seen) => {
        const { generation } = await applyRequest(seen.id, seen)
        org.markChanged()
        await documents.refreshAll()
        return `Generation ${generation} is active.`
      }),
    /** Edits it to the same list over another generation, or without a part. */
    editOver: (base: number, without?: ComponentId[]) =>
      act(async ({ id, revision }) => {
        await editRequest(id, { revision, base, ...(without === undefined ? {} : { without }) })
        return `It is now based on generation ${base}; earlier approvals are void.`
      }),
  }
}
