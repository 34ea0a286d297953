// Stored results: the list next to the page, the newest first and older ones on demand.
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { fetchResults } from '../api/evaluate.ts'
import { messageOf } from '../api/request.ts'
import type { StoredResult } from '../api/wire.ts'
import { useLatest } from './use-latest.ts'

const page = 200

export const useResults = defineStore('results', () => {
  const results = shallowRef<StoredResult[] | null>(null)
  const hasOlder = ref(false)
  const failure = ref('')

  const latest = useLatest()
  /** Reads until `rowCount` results are known, or all. */
  function read(knownResults: readonly StoredResult[], rowCount: number): Promise<void> {
    return latest.run((signal) => readUntil(knownResults, rowCount, signal), {
      onResult({ rows, isWhole }) {
        results.value = rows
        hasOlder.value = !isWhole
        failure.value = ''
      },
      onError: (error) => (failure.value = messageOf(error)),
    })
  }

  /** Reads the list again, at its present length. */
  const load = (): Promise<void> => read([], Math.max(page, results.value?.length ?? 0))
  const older = (): Promise<void> => read(results.value ?? [], (results.value?.length ?? 0) + page)

  return { results, hasOlder, failure, load, older }
})

async function readUntil(
  knownResults: readonly StoredResult[],
  rowCount: number,
  signal: AbortSignal,
): Promise<{ rows: StoredResult[]; isWhole: boolean }> {
  const rows = [...knownResults]
  let isWhole = false
  while (rows.length < rowCount && !isWhole) {
    const next = await fetchResults(page, rows.at(-1)?.id)
    signal.throwIfAborted()
    rows.push(...next)
    isWhole = next.length < page
  }
  return { rows, isWhole }
}
