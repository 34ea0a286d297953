// Ends the wait for a call at the deadline, even if the call itself does not end.

import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export const deadlineReached = Symbol('deadline reached')

/** @throws `deadlineReached` when the signal is aborted first */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // A call that fails later, when nobody waits for it, is not an unhandled rejection.
  work.catch(() => undefined)
  let stop = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(deadlineReached as unknown as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  aborted.catch(() => undefined)
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** @throws AlmanacError `integration.timeout` at the deadline */
export async function untilDeadline<T>(work: Promise<T>, signal: AbortSignal, source: string): Promise<T> {
  try {
    return await untilAborted(work, signal)
  } catch (error) {
    if (error !== deadlineReached && !signal.aborted) throw error
    throw new AlmanacError('integration.timeout', `${source} did not respond in time. Try again.`)
  }
}
