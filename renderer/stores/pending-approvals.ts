// The change requests that wait for this user's approval, for the badge of the rail and the home page.
import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import { refusalOf } from '#kernel/requests/index.ts'
import { fetchRequests } from '../api/requests.ts'
import type { ChangeRequestSummary } from '../api/wire.ts'
import { useLive } from './live.ts'
import { useOrg } from './org.ts'
import { useLatest } from './use-latest.ts'

const maxWaiting = 200

export const usePendingApprovals = defineStore('waiting', () => {
  const org = useOrg()
  const live = useLive()
  const open = shallowRef<readonly ChangeRequestSummary[]>([])
  const canApprove = computed(() => org.can('deploy.approve'))
  /** The requests that this user can approve now and has not approved in their present form. */
  const requests = computed(() => {
    const user = org.org?.me.key ?? ''
    const person = { user, canApprove: canApprove.value }
    return open.value.filter(
      (request) =>
        request.state === 'open' &&
        refusalOf('approve', request, person) === null &&
        !request.approvals.some(({ approver, counts }) => counts && approver === user),
    )
  })

  const latest = useLatest()
  async function load(): Promise<void> {
    if (!canApprove.value) {
      latest.cancel()
      open.value = []
      return
    }
    await latest.run(() => fetchRequests({ state: ['open'], limit: maxWaiting }), {
      onResult: ({ requests }) => (open.value = requests),
      // A failure is not reported, because the badge is not important: the next event reads it again.
      onError: () => undefined,
    })
  }

  /** Follows the server's events for as long as the studio is open. */
  function follow(): void {
    watch([() => org.org?.me.key, canApprove], load, { immediate: true })
    live.on('change-request', load)
    live.onReconnect(load)
  }

  return { requests, load, follow }
})
