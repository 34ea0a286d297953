// Change requests: the list by state, the user's own that wait, and the open one; kept current by the server's events.
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { refusalOf, waitingStates, type ChangeRequestAction } from '#kernel/requests/index.ts'
import { fetchRequest, fetchRequests } from '../api/requests.ts'
import { isNotFound, messageOf } from '../api/request.ts'
import type { ChangeRequestState, ChangeRequestSummary, RequestDetail } from '../api/wire.ts'
import { useLive } from './live.ts'
import { useOrg } from './org.ts'
import { useLatest } from './use-latest.ts'

export type RequestFilter = 'waiting' | 'done' | 'all'

const statesOf: Record<RequestFilter, readonly ChangeRequestState[] | undefined> = {
  waiting: waitingStates,
  done: ['applied', 'rejected', 'withdrawn'],
  all: undefined,
}
const page = 50

export const useRequests = defineStore('requests', () => {
  const org = useOrg()
  const filter = ref<RequestFilter>('waiting')
  const requests = shallowRef<ChangeRequestSummary[] | null>(null)
  const cursor = ref<string | null>(null)
  const failure = ref('')
  /** The user's own requests that are not closed yet. */
  const mine = shallowRef<ChangeRequestSummary[]>([])
  const detail = shallowRef<RequestDetail | null>(null)
  const detailFailure = ref('')
  const missing = ref(false)
  /** Who changed the open request while it was shown. */
  const lastActivity = ref('')

  const latestList = useLatest()
  const readPage = (after?: string) =>
    fetchRequests({ state: statesOf[filter.value], limit: page, cursor: after })

  function load(): Promise<void> {
    return latestList.run(() => readPage(), {
      onResult(answer) {
        requests.value = answer.requests
        cursor.value = answer.nextCursor
        failure.value = ''
      },
      onError: (error) => (failure.value = messageOf(error)),
    })
  }

  async function more(): Promise<void> {
    const after = cursor.value
    if (after === null) return
    await latestList.extend(() => readPage(after), {
      onResult(answer) {
        requests.value = [...(requests.value ?? []), ...answer.requests]
        cursor.value = answer.nextCursor
      },
      onError: (error) => (failure.value = messageOf(error)),
    })
  }

  function show(newFilter: RequestFilter): void {
    filter.value = newFilter
    void load()
  }

  async function loadMine(): Promise<void> {
    const me = org.org?.me.key
    if (me === undefined) return
    const found = await fetchRequests({ state: waitingStates, author: me, limit: page }).catch(() => null)
    if (found !== null) mine.value = found.requests
  }

  const latestDetail = useLatest()
  async function open(id: string): Promise<void> {
    if (detail.value?.id !== id) {
      detail.value = null
      lastActivity.value = ''
    }
    await latestDetail.run(() => fetchRequest(id), {
      onResult(request) {
        detail.value = request
        detailFailure.value = ''
        missing.value = false
      },
      onError(error) {
        missing.value = isNotFound(error)
        detailFailure.value = messageOf(error)
      },
    })
  }

  /** Follows the server's events; returns the function that stops it. */
  function follow(): () => void {
    const live = useLive()
    const again = (): void => {
      void load()
      if (detail.value !== null) void open(detail.value.id)
    }
    const stops = [
      live.on('change-request', ({ id, actor }) => {
        void load()
        if (detail.value?.id !== id) return
        if (actor !== org.org?.me.key) lastActivity.value = actor
        void open(id)
      }),
      // A new generation changes the base of waiting requests.
      live.on('generation', again),
      live.onReconnect(again),
    ]
    return () => stops.forEach((stop) => stop())
  }

  const me = computed(() => ({
    user: org.org?.me.key ?? '',
    canApprove: org.can('deploy.approve'),
  }))
  /** Why the user cannot do this to the open request; null if the user can. */
  const refusal = (action: ChangeRequestAction): string | null =>
    detail.value === null ? '' : (refusalOf(action, detail.value, me.value)?.message ?? null)

  return {
    ...{ filter, requests, cursor, failure, mine, detail, detailFailure, missing, lastActivity, me },
    ...{ load, more, show, loadMine, open, follow, refusal },
  }
})
