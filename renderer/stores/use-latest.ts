// Only the latest request is used: a response or an error of an earlier one is dropped, because it is out of date.
import { onScopeDispose } from 'vue'

export interface RequestHandlers<T> {
  onResult(result: T): void
  /** If omitted, an error of the latest request rejects the promise. */
  onError?(error: unknown): void
  /** Called after success and failure, but only for the latest request. */
  onEnd?(): void
}

/** Aborted once the request is out of date. A request of several steps checks it after each. */
type Request<T> = (signal: AbortSignal) => Promise<T>

export function useLatest() {
  let controller = new AbortController()
  onScopeDispose(() => controller.abort(), true)

  /** Drops the request that is running, if any. */
  function cancel(): void {
    controller.abort()
    controller = new AbortController()
  }

  /** Sends a request that replaces the earlier one. */
  function run<T>(request: Request<T>, handlers: RequestHandlers<T>): Promise<void> {
    cancel()
    return extend(request, handlers)
  }

  /** Sends a request that continues the latest one, such as for its next page: it is dropped together with it. */
  async function extend<T>(
    request: Request<T>,
    { onResult, onError, onEnd }: RequestHandlers<T>,
  ): Promise<void> {
    const { signal } = controller
    try {
      const result = await request(signal)
      if (!signal.aborted) onResult(result)
    } catch (error) {
      if (signal.aborted) return
      if (onError === undefined) throw error
      onError(error)
    } finally {
      if (!signal.aborted) onEnd?.()
    }
  }

  return { run, extend, cancel }
}
