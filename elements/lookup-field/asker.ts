// One question at a time: what was asked before is called off, and its answer never heard (specification 3.4).
import type { LookupAnswer } from './types.ts'

export interface Hearing {
  /** The source has been asked and takes its time. */
  waiting(): void
  answer(answer: LookupAnswer): void
  failed(error: unknown): void
}

export class Asker {
  #abort: AbortController | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Whether the question has yet to be put. */
  get waits(): boolean {
    return this.#timer !== undefined
  }

  /** Whether an answer is on its way. */
  get asks(): boolean {
    return this.#abort !== null
  }

  /** Does something after a while, in milliseconds, in the place of what was asked. */
  wait(delay: number, then: () => void): void {
    this.stop()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      then()
    }, delay)
  }

  /** Nobody waits any more. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#abort?.abort()
    this.#abort = null
  }

  ask(question: (signal: AbortSignal) => LookupAnswer | Promise<LookupAnswer>, heard: Hearing): void {
    this.stop()
    const abort = new AbortController()
    this.#abort = abort
    // Whoever was called off is not heard, whether it knows of the signal or not.
    const only =
      <T>(hear: (told: T) => void) =>
      (told: T): void => {
        if (this.#abort !== abort) return
        this.#abort = null
        hear(told)
      }
    const answer = only((told: LookupAnswer) => {
      try {
        heard.answer(told)
      } catch (error) {
        heard.failed(error)
      }
    })
    const failed = only(heard.failed)
    try {
      const told = question(abort.signal)
      if (typeof (told as Promise<LookupAnswer> | null)?.then !== 'function')
        return answer(told as LookupAnswer)
      // The source may have asked for something that ends this question.
      if (this.#abort === abort) heard.waiting()
      ;(told as Promise<LookupAnswer>).then(answer, failed)
    } catch (error) {
      failed(error)
    }
  }
}
