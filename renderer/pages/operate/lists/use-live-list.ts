// The rows of a filter, live. While one is open, or after further pages were read, the list keeps its rows in place, and
// only counts newer ones.
import { computed, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue'
import { loadFailureMessage } from '../../../api/request.ts'
import { useLatest } from '../../../stores/use-latest.ts'
import { usePolling } from '../use-polling.ts'

interface RowsPage<Row> {
  rows: readonly Row[]
  nextCursor: string | null
}

interface LiveListParts<Row, Page extends RowsPage<Row>> {
  /** The rows are read again from the beginning when it changes. */
  fields: Ref<unknown>
  may?: Ref<boolean>
  read(cursor?: string): Promise<Page>
  keyOf(row: Row): string
  /** Whether a row is open. */
  isHeld?: Ref<boolean>
}

export function useLiveList<Row, Page extends RowsPage<Row>>({
  fields,
  may = ref(true),
  read,
  keyOf,
  isHeld = ref(false),
}: LiveListParts<Row, Page>) {
  const rows: ShallowRef<readonly Row[] | null> = shallowRef(null)
  /** The first page, with what it counts. */
  const first: ShallowRef<Page | null> = shallowRef(null)
  const next = ref<string | null>(null)
  const failure = ref('')
  const reading = ref(false)
  /** Whether further pages are shown. */
  const isLong = ref(false)
  /** Rows that the list does not show yet. */
  const waiting: ShallowRef<Page | null> = shallowRef(null)
  const latest = useLatest()
  const onError = (error: unknown): unknown => (failure.value = loadFailureMessage(error))

  function show(page: Page): void {
    rows.value = page.rows
    next.value = page.nextCursor
    waiting.value = null
    isLong.value = false
  }
  function take(page: Page): void {
    first.value = page
    failure.value = ''
    if (rows.value === null || (!isHeld.value && !isLong.value)) return show(page)
    // Rows that are shown have their present state, and stay where they are.
    const found = new Map(page.rows.map((row) => [keyOf(row), row]))
    rows.value = rows.value.map((row) => found.get(keyOf(row)) ?? row)
    waiting.value = page
  }
  function request(onResult: (page: Page) => void): Promise<void> {
    if (!may.value) return Promise.resolve()
    reading.value = true
    return latest.run(() => read(), { onResult, onError, onEnd: () => (reading.value = false) })
  }
  const load = (): Promise<void> => request(take)
  /** From the beginning. */
  const reload = (): Promise<void> => {
    isLong.value = false
    return load()
  }
  const more = (): Promise<void> =>
    latest.extend(() => read(next.value ?? undefined), {
      onResult(page) {
        const shown = new Set(rows.value?.map(keyOf))
        rows.value = [...(rows.value ?? []), ...page.rows.filter((row) => !shown.has(keyOf(row)))]
        next.value = page.nextCursor
        isLong.value = true
      },
      onError,
    })
  const newer = computed(() => {
    const shown = new Set(rows.value?.map(keyOf))
    return waiting.value?.rows.filter((row) => !shown.has(keyOf(row))).length ?? 0
  })
  watch(
    [fields, may],
    () => {
      rows.value = first.value = waiting.value = null
      isLong.value = false
      void load()
    },
    { immediate: true },
  )
  usePolling(load)
  return {
    ...{ rows, first, next, failure, reading, newer, isLong, load, reload, more },
    showNewer: (): unknown => waiting.value && show(waiting.value),
  }
}
