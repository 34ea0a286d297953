// One question at a time: what was asked before is called off, and its answer never heard (specification 3.4).
import type { LookupAnswer } from './types.ts'

export interface Hearing {
  /** The source has been asked and takes its time. */
  waiting?(): void
  answer(answer: LookupAnswer): void
  failed?(): void
}

export class Asker {
  /** An answer that is on its way. */
  asks: AbortController | undefined
  /** A question that has yet to be put. */
  waits: ReturnType<typeof setTimeout> | undefined
  readonly #report: (error: unknown) => void

  /** `report`: what the source threw, before the failure is shown. */
  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  /** Does something after a while, in milliseconds, in the place of what was asked. */
  wait(delay: number, then: () => void): void {
    this.stop()
    this.waits = setTimeout(() => {
      this.waits = undefined
      then()
    }, delay)
  }

  /** Nobody waits any more. */
  stop(): void {
    clearTimeout(this.waits)
    this.waits = undefined
    this.asks?.abort()
    this.asks = undefined
  }

  ask(question: (signal: AbortSignal) => LookupAnswer | Promise<LookupAnswer>, heard: Hearing): void {
    this.stop()
    const abort = new AbortController()
    this.asks = abort
    // Whoever was called off is not heard, whether it knows of the signal or not.
    const only =
      <T>(hear: (told: T) => void) =>
      (told: T): void => {
        if (this.asks !== abort) return
        this.asks = undefined
        hear(told)
      }
    const fail = (error: unknown): void => {
      this.#report(error)
      heard.failed?.()
    }
    const answer = only((told: LookupAnswer) => {
      try {
        heard.answer(told)
      } catch (error) {
        fail(error)
      }
    })
    const failed = only(fail)
    try {
      const told = question(abort.signal) as Promise<LookupAnswer> | undefined
      if (!told?.then) return answer(told as never)
      // The source may have asked for something that ends this question.
      if (this.asks === abort) heard.waiting?.()
      told.then(answer, failed)
    } catch (error) {
      failed(error)
    }
  }
}
