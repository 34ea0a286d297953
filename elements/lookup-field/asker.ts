// One request at a time: an earlier one is aborted, and its answer is ignored.
import type { LookupAnswer } from './types.ts'

export interface Hearing {
  /** The source has been called and has not answered yet. */
  waiting?(): void
  answer(answer: LookupAnswer): void
  failed?(): void
}

export class Asker {
  /** The pending request. */
  asks: AbortController | undefined
  /** A request that is still delayed. */
  waits: ReturnType<typeof setTimeout> | undefined
  readonly #report: (error: unknown) => void

  /** `report`: receives what the source threw, before the failure is shown. */
  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  /** Does something after a while, in milliseconds, instead of the earlier request. */
  wait(delay: number, then: () => void): void {
    this.stop()
    this.waits = setTimeout(() => {
      this.waits = undefined
      then()
    }, delay)
  }

  /** The answer is no longer needed. */
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
    // An aborted request is ignored, even if it does not heed the signal.
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
      // The source can have started something that ends this request.
      if (this.asks === abort) heard.waiting?.()
      told.then(answer, failed)
    } catch (error) {
      failed(error)
    }
  }
}
