// Stored results: the list beside the page.
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { fetchResults } from '../api/evaluate.ts'
import { messageOf } from '../api/request.ts'
import type { StoredResult } from '../api/wire.ts'

export const useResults = defineStore('results', () => {
  const results = shallowRef<StoredResult[] | null>(null)
  const failure = ref('')

  async function load(): Promise<void> {
    try {
      results.value = await fetchResults()
      failure.value = ''
    } catch (error) {
      failure.value = messageOf(error)
    }
  }
  return { results, failure, load }
})
