// A caller who sends more than can wait.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

/** @param waiting requests of the caller that wait already */
export function tooBusy(waiting: number): AlmanacError {
  return new AlmanacError(
    'limit.busy',
    `${waiting} of your requests are already waiting. Send this one again when some of them are done.`,
    { retryAfter: 1 },
  )
}
