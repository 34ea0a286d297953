// The calls of a filter, live: while one is open, the list keeps its rows in place, and only counts newer ones.
import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import { fetchOutbox, type OutboxPage, type OutboxRowView, type OutboxState } from '../../api/operate.ts'
import { loadFailureMessage } from '../../api/request.ts'
import { useLatest } from '../../stores/use-latest.ts'
import { outboxQuery, type OutboxFields } from './outbox-query.ts'
import { usePolling } from './use-polling.ts'

export function useOutbox(fields: Ref<OutboxFields>, isHeld: Ref<boolean>, may: Ref<boolean>) {
  const rows = shallowRef<OutboxRowView[] | null>(null)
  const counts = shallowRef<Record<OutboxState, number> | null>(null)
  const next = ref<string | null>(null)
  const failure = ref('')
  const reading = ref(false)
  /** Rows that the list does not show yet, because one is open. */
  const waiting = shallowRef<OutboxPage | null>(null)
  const latest = useLatest()
  const read = (cursor?: string) => fetchOutbox(outboxQuery(fields.value, Date.now()), cursor)

  function show(page: OutboxPage): void {
    rows.value = page.rows
    next.value = page.nextCursor
    waiting.value = null
  }
  /** Rows that are shown have their present state, and stay where they are. */
  function update({ rows: found }: OutboxPage): void {
    const known = new Map(found.map((row) => [row.id, row]))
    rows.value = (rows.value ?? []).map((row) => known.get(row.id) ?? row)
  }
  function take(page: OutboxPage): void {
    counts.value = page.counts
    failure.value = ''
    if (rows.value === null || !isHeld.value) return show(page)
    update(page)
    waiting.value = page
  }
  const load = (): Promise<void> => {
    if (!may.value) return Promise.resolve()
    reading.value = true
    return latest.run(() => read(), {
      onResult: take,
      onError: (error) => (failure.value = loadFailureMessage(error)),
      onEnd: () => (reading.value = false),
    })
  }
  const more = (): Promise<void> =>
    latest.extend(() => read(next.value ?? undefined), {
      onResult(page) {
        rows.value = [...(rows.value ?? []), ...page.rows]
        next.value = page.nextCursor
      },
      onError: (error) => (failure.value = loadFailureMessage(error)),
    })
  const newer = computed(() => {
    const shown = new Set(rows.value?.map(({ id }) => id))
    return waiting.value?.rows.filter(({ id }) => !shown.has(id)).length ?? 0
  })
  watch(
    [fields, may],
    () => {
      rows.value = counts.value = waiting.value = null
      void load()
    },
    { immediate: true },
  )
  // Further pages that were read would be lost.
  usePolling(() => ((rows.value?.length ?? 0) > 100 ? undefined : load()))
  return {
    rows,
    counts,
    next,
    failure,
    reading,
    newer,
    load,
    more,
    showNewer: () => waiting.value && show(waiting.value),
  }
}
