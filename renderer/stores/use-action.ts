// Sends one request at a time: what the user starts again while it runs, such as with a double-click, is ignored.
import { ref } from 'vue'
import { messageOf } from '../api/request.ts'

/** Longer than the usual pause of a double-click, in milliseconds. */
const doubleClick = 400

export interface ActionOptions {
  /** Called after a failure, before the action can be started again. */
  onError?(error: unknown): unknown
}

export function useAction({ onError }: ActionOptions = {}) {
  /**
   * Whether its buttons are disabled: while it runs, and until a second click can no longer land on what the response
   * moved under the pointer.
   */
  const working = ref(false)
  const failure = ref('')
  let isRunning = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Returns what `work` returns; undefined if it failed, which `failure` explains, or if it was ignored. */
  async function run<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (isRunning) return undefined
    const end = performance.now() + doubleClick
    let rest = 0
    clearTimeout(timer)
    isRunning = working.value = true
    failure.value = ''
    try {
      const result = await work()
      rest = end - performance.now()
      return result
    } catch (error) {
      failure.value = messageOf(error)
      await onError?.(error)
      return undefined
    } finally {
      isRunning = false
      if (rest > 0) timer = setTimeout(() => (working.value = false), rest)
      else working.value = false
    }
  }

  return { working, failure, run }
}
