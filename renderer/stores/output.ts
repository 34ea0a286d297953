// What the studio did, line by line, with the time and how long it took.
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { onRequestCompleted } from '../api/request.ts'
import { outputWords } from './output-words.ts'

export interface OutputLine {
  number: number
  at: Date
  words: string
  /** How long the server took; null without a request. */
  ms: number | null
  failure: string
}

const mostKept = 500

export const useOutput = defineStore('output', () => {
  /** Newest first. */
  const lines = shallowRef<OutputLine[]>([])
  const number = ref(0)

  function log(words: string, ms: number | null = null, failure = ''): void {
    const line = { number: ++number.value, at: new Date(), words, ms, failure }
    lines.value = [line, ...lines.value].slice(0, mostKept)
  }

  onRequestCompleted(({ method, path, ms, failure }) => {
    const words = outputWords(method, path)
    if (words !== null) log(failure === '' ? words : `${words}: refused`, ms, failure)
  })
  const clear = (): unknown => (lines.value = [])
  return { lines, log, clear }
})
