// The query is in the URL; the page and its side read the same results.
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { search, type SearchResponse, type SearchRequest, type SearchHit } from '../../api/search.ts'
import { messageOf } from '../../api/request.ts'
import { useLatest } from '../../stores/use-latest.ts'

export interface SearchFilter {
  q: string
  type: string
  app: string
}

export function searchFilterOf(query: Record<string, unknown>): SearchFilter {
  const text = (name: string): string => (typeof query[name] === 'string' ? query[name] : '')
  return { q: text('q'), type: text('type'), app: text('app') }
}

/** The URL of a search. */
export function searchAddress(filter: Partial<SearchFilter>): {
  path: string
  query: Record<string, string>
} {
  const filters = Object.entries(filter).filter(([, value]) => value !== '')
  return { path: '/search', query: Object.fromEntries(filters) }
}

const page = 100
/** Entries shown in addition to everything else; one type alone is shown page by page. */
const fewEntries = 20

export const useSearch = defineStore('search', () => {
  /** The query of the hits; null before the first search. */
  const currentFilter = shallowRef<SearchFilter | null>(null)
  /** Hits of every type except entries if no type is picked, otherwise of that type. */
  const answer = shallowRef<SearchResponse | null>(null)
  /** The first entries; null if a type is picked. */
  const entries = shallowRef<SearchResponse | null>(null)
  const pageHits = shallowRef<SearchHit[]>([])
  const busy = ref(false)
  const failure = ref('')
  const latest = useLatest()

  function attempt<T>(
    request: (signal: AbortSignal) => Promise<T>,
    show: (result: T) => void,
  ): Promise<void> {
    busy.value = true
    return latest.run(request, {
      onResult(result) {
        show(result)
        failure.value = ''
      },
      onError: (error) => (failure.value = messageOf(error)),
      onEnd: () => (busy.value = false),
    })
  }

  const plain = (filter: SearchFilter): SearchRequest =>
    filter.type === '' ? { ...filter, limit: page, entries: false } : { ...filter, limit: page }

  function run(filter: SearchFilter): Promise<void> {
    const ofEntries = { ...filter, type: 'config_entry', limit: fewEntries }
    return attempt(
      (signal) =>
        Promise.all([search(plain(filter), signal), filter.type === '' ? search(ofEntries, signal) : null]),
      ([response, entryResponse]) => {
        currentFilter.value = filter
        answer.value = response
        entries.value = entryResponse
        pageHits.value = response.hits
      },
    )
  }

  const more = async (): Promise<void> => {
    const [filter, cursor] = [currentFilter.value, answer.value?.nextCursor]
    if (filter === null || !cursor) return
    await attempt(
      (signal) => search({ ...plain(filter), cursor }, signal),
      (response) => {
        answer.value = response
        pageHits.value = [...pageHits.value, ...response.hits]
      },
    )
  }

  function clear(): void {
    latest.cancel()
    currentFilter.value = null
    answer.value = null
    entries.value = null
    pageHits.value = []
    busy.value = false
    failure.value = ''
  }

  const hits = computed(() => [...pageHits.value, ...(entries.value?.hits ?? [])])
  const counts = computed(() => {
    const byType = new Map<string, string>()
    const add = (all: readonly SearchHit[], next: string | null | undefined): void => {
      const numbers = new Map<string, number>()
      for (const { type } of all) numbers.set(type, (numbers.get(type) ?? 0) + 1)
      for (const [type, number] of numbers) byType.set(type, `${number}${next ? '+' : ''}`)
    }
    add(pageHits.value, answer.value?.nextCursor)
    if (entries.value !== null) {
      add(entries.value.hits, entries.value.nextCursor)
      if (entries.value.total) byType.set('config_entry', entries.value.total.toLocaleString('en-GB'))
    }
    return byType
  })
  /** The number of hits; null if some can be hidden, or they were not counted. */
  const total = computed(() => {
    if (answer.value === null || answer.value.total === null) return null
    return entries.value === null
      ? answer.value.total
      : entries.value.total === null
        ? null
        : answer.value.total + entries.value.total
  })
  const unfinished = computed(() => Boolean(answer.value?.nextCursor ?? entries.value?.nextCursor))
  return {
    currentFilter,
    answer,
    entries,
    hits,
    busy,
    failure,
    counts,
    total,
    unfinished,
    run,
    more,
    clear,
  }
})
