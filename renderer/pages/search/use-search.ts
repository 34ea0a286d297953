// The query is in the address; the page and its side read the same results.
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { search, type SearchResponse, type SearchRequest, type SearchHit } from '../../api/search.ts'
import { messageOf } from '../../api/request.ts'

export interface SearchFilter {
  q: string
  type: string
  app: string
}

export function searchFilterOf(query: Record<string, unknown>): SearchFilter {
  const text = (name: string): string => (typeof query[name] === 'string' ? query[name] : '')
  return { q: text('q'), type: text('type'), app: text('app') }
}

/** The address of a search. */
export function searchAddress(filter: Partial<SearchFilter>): {
  path: string
  query: Record<string, string>
} {
  const given = Object.entries(filter).filter(([, value]) => value !== '')
  return { path: '/search', query: Object.fromEntries(given) }
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
  const found = shallowRef<SearchHit[]>([])
  const busy = ref(false)
  const failure = ref('')
  let running: AbortController | null = null

  async function attempt(work: (signal: AbortSignal) => Promise<() => void>): Promise<void> {
    running?.abort()
    const mine = (running = new AbortController())
    busy.value = true
    try {
      const take = await work(mine.signal)
      if (mine !== running) return
      take()
      failure.value = ''
    } catch (error) {
      if (mine === running) failure.value = messageOf(error)
    } finally {
      if (mine === running) busy.value = false
    }
  }

  const plain = (filter: SearchFilter): SearchRequest =>
    filter.type === '' ? { ...filter, limit: page, entries: false } : { ...filter, limit: page }

  const ask = (filter: SearchFilter): Promise<void> =>
    attempt(async (signal) => {
      const ofEntries = { ...filter, type: 'config_entry', limit: fewEntries }
      const [all, some] = await Promise.all([
        search(plain(filter), signal),
        filter.type === '' ? search(ofEntries, signal) : null,
      ])
      return () => {
        currentFilter.value = filter
        answer.value = all
        entries.value = some
        found.value = all.hits
      }
    })

  const more = async (): Promise<void> => {
    const [filter, cursor] = [currentFilter.value, answer.value?.nextCursor]
    if (filter === null || !cursor) return
    await attempt(async (signal) => {
      const next = await search({ ...plain(filter), cursor }, signal)
      return () => {
        answer.value = next
        found.value = [...found.value, ...next.hits]
      }
    })
  }

  function clear(): void {
    running?.abort()
    running = null
    currentFilter.value = null
    answer.value = null
    entries.value = null
    found.value = []
    busy.value = false
    failure.value = ''
  }

  const hits = computed(() => [...found.value, ...(entries.value?.hits ?? [])])
  const counts = computed(() => {
    const byType = new Map<string, string>()
    const add = (all: readonly SearchHit[], next: string | null | undefined): void => {
      const numbers = new Map<string, number>()
      for (const { type } of all) numbers.set(type, (numbers.get(type) ?? 0) + 1)
      for (const [type, number] of numbers) byType.set(type, `${number}${next ? '+' : ''}`)
    }
    add(found.value, answer.value?.nextCursor)
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
    asked: currentFilter,
    answer,
    entries,
    hits,
    busy,
    failure,
    counts,
    total,
    unfinished,
    ask,
    more,
    clear,
  }
})
