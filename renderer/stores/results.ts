// Stored results: the list next to the page, the newest first and older ones on demand.
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { fetchResults } from '../api/evaluate.ts'
import { messageOf } from '../api/request.ts'
import type { StoredResult } from '../api/wire.ts'

const page = 200

export const useResults = defineStore('results', () => {
  const results = shallowRef<StoredResult[] | null>(null)
  const hasOlder = ref(false)
  const failure = ref('')

  // A response to an earlier request than the latest is dropped.
  let asked = 0
  /** Reads until `wanted` results are known, or all. */
  async function read(known: readonly StoredResult[], wanted: number): Promise<void> {
    const mine = ++asked
    const found = [...known]
    try {
      let isWhole = false
      while (found.length < wanted && !isWhole) {
        const next = await fetchResults(page, found.at(-1)?.id)
        found.push(...next)
        isWhole = next.length < page
      }
      if (mine !== asked) return
      results.value = found
      hasOlder.value = !isWhole
      failure.value = ''
    } catch (error) {
      if (mine === asked) failure.value = messageOf(error)
    }
  }

  /** Reads the list again, at its present length. */
  const load = (): Promise<void> => read([], Math.max(page, results.value?.length ?? 0))
  const older = (): Promise<void> => read(results.value ?? [], (results.value?.length ?? 0) + page)

  return { results, hasOlder, failure, load, older }
})
