// The flags that match the filters in the URL; the side and the page read the same list.
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { fetchFlags, type FlagList, type FlagRow } from '../../api/flags.ts'
import { messageOf } from '../../api/request.ts'
import { useLatest } from '../../stores/use-latest.ts'

export interface FlagFilter {
  state: string
  q: string
  owner: string
}

export const filterOf = (query: Record<string, unknown>): FlagFilter => {
  const text = (name: string): string => (typeof query[name] === 'string' ? query[name] : '')
  return { state: text('state'), q: text('q'), owner: text('owner') }
}

/** The filters that are set, for a URL. */
export const filterQuery = (filter: FlagFilter): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '')) as Record<string, string>

export const useFlags = defineStore('flags', () => {
  const list = shallowRef<FlagList | null>(null)
  const flags = shallowRef<FlagRow[]>([])
  const failure = ref('')
  const latest = useLatest()
  let last: FlagFilter = { state: '', q: '', owner: '' }

  function load(filter: FlagFilter): Promise<void> {
    last = filter
    return latest.run(() => fetchFlags({ ...filter, limit: 200 }), {
      onResult(answer) {
        list.value = answer
        flags.value = answer.flags
        failure.value = ''
      },
      onError: (error) => (failure.value = messageOf(error)),
    })
  }

  async function more(): Promise<void> {
    const cursor = list.value?.nextCursor
    if (!cursor) return
    await latest.extend(() => fetchFlags({ ...last, limit: 200, cursor }), {
      onResult(answer) {
        list.value = answer
        flags.value = [...flags.value, ...answer.flags]
      },
      onError: (error) => (failure.value = messageOf(error)),
    })
  }
  return { list, flags, failure, load, more }
})
