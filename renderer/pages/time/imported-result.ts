// The binding that the user opened from a file: read by the side, shown by the page, and lost when the window closes.
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { messageOf } from '../../api/request.ts'
import { parseImportedResult, type ShownResult } from '../results/shown-result.ts'

export const useImportedResult = defineStore('brought', () => {
  const result = shallowRef<ShownResult | null>(null)
  const failure = ref('')

  /** Returns whether it could be read. */
  function read(text: string, name: string): boolean {
    try {
      result.value = parseImportedResult(text, name)
      failure.value = ''
      return true
    } catch (error) {
      failure.value = messageOf(error)
      return false
    }
  }
  return { result, failure, read }
})
