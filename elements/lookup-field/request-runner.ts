// One request at a time: an earlier one is aborted, and its response is ignored.
import type { LookupAnswer } from './types.ts'

export interface RequestCallbacks {
  /** Whether the source has been called and has not responded yet. */
  onPending?(): void
  answer(answer: LookupAnswer): void
  onFailure?(): void
}

export class RequestRunner {
  /** The pending request. */
  abortController: AbortController | undefined
  /** A request that is still delayed. */
  delayTimer: ReturnType<typeof setTimeout> | undefined
  readonly #report: (error: unknown) => void

  /** `report`: receives what the source threw, before the failure is shown. */
  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  /** Runs something after a delay in milliseconds, in place of the earlier request. */
  schedule(delay: number, then: () => void): void {
    this.stop()
    this.delayTimer = setTimeout(() => {
      this.delayTimer = undefined
      then()
    }, delay)
  }

  /** Aborts the request, because its response is no longer needed. */
  stop(): void {
    clearTimeout(this.delayTimer)
    this.delayTimer = undefined
    this.abortController?.abort()
    this.abortController = undefined
  }

  startRequest(
    question: (signal: AbortSignal) => LookupAnswer | Promise<LookupAnswer>,
    heard: RequestCallbacks,
  ): void {
    this.stop()
    const abort = new AbortController()
    this.abortController = abort
    // The response of an aborted request is ignored, even if the source ignores the signal.
    const only =
      <T>(hear: (value: T) => void) =>
      (value: T): void => {
        if (this.abortController !== abort) return
        this.abortController = undefined
        hear(value)
      }
    const fail = (error: unknown): void => {
      this.#report(error)
      heard.onFailure?.()
    }
    const answer = only((result: LookupAnswer) => {
      try {
        heard.answer(result)
      } catch (error) {
        fail(error)
      }
    })
    const failed = only(fail)
    try {
      const result = question(abort.signal) as Promise<LookupAnswer> | undefined
      if (!result?.then) return answer(result as never)
      // The source may have started something that ends this request.
      if (this.abortController === abort) heard.onPending?.()
      result.then(answer, failed)
    } catch (error) {
      failed(error)
    }
  }
}
