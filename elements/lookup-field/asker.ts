// One request at a time: an earlier one is aborted, and its answer is ignored.
import type { LookupAnswer } from './types.ts'

export interface Hearing {
  /** The source has been called and has not answered yet. */
  onPending?(): void
  answer(answer: LookupAnswer): void
  onFailure?(): void
}

export class Asker {
  /** The pending request. */
  abortController: AbortController | undefined
  /** A request that is still delayed. */
  delayTimer: ReturnType<typeof setTimeout> | undefined
  readonly #report: (error: unknown) => void

  /** `report`: receives what the source threw, before the failure is shown. */
  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  /** Does something after a while, in milliseconds, instead of the earlier request. */
  schedule(delay: number, then: () => void): void {
    this.stop()
    this.delayTimer = setTimeout(() => {
      this.delayTimer = undefined
      then()
    }, delay)
  }

  /** The answer is no longer needed. */
  stop(): void {
    clearTimeout(this.delayTimer)
    this.delayTimer = undefined
    this.abortController?.abort()
    this.abortController = undefined
  }

  startRequest(
    question: (signal: AbortSignal) => LookupAnswer | Promise<LookupAnswer>,
    heard: Hearing,
  ): void {
    this.stop()
    const abort = new AbortController()
    this.abortController = abort
    // An aborted request is ignored, even if it does not heed the signal.
    const only =
      <T>(hear: (told: T) => void) =>
      (told: T): void => {
        if (this.abortController !== abort) return
        this.abortController = undefined
        hear(told)
      }
    const fail = (error: unknown): void => {
      this.#report(error)
      heard.onFailure?.()
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
      if (this.abortController === abort) heard.onPending?.()
      told.then(answer, failed)
    } catch (error) {
      failed(error)
    }
  }
}
