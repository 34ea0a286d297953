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

/** @param late the error at the deadline */
export async function untilDeadline<T>(
  work: Promise<T>,
  signal: AbortSignal,
  late: () => AlmanacError,
): Promise<T> {
  try {
    return await untilAborted(work, signal)
  } catch (error) {
    throw error === deadlineReached || signal.aborted ? late() : error
  }
}

/** @param source for the message: `Orders of erp` */
export const timedOut = (source: string): AlmanacError =>
  new AlmanacError('integration.timeout', `${source} did not respond in time. Try again.`)
