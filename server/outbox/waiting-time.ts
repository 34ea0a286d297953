// How long a call waits for what it is authenticated with: an authorisation server that does not recover must not hold
// up the later calls of a record without an end.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { OutboxProblem } from '../ports/outbox.ts'

const longestWaitHours = 24

/** An open breaker and a spent budget end on their own, and an administrator sees both. */
const unbounded: ReadonlySet<ErrorCode> = new Set(['integration.breaker_open', 'limit.callout_budget'])

/**
 * Decides on a call that waits again.
 * @param before the problem for which it has waited; null if it has not
 * @returns since when it waits, null without a limit; or the error with which it ends
 */
export function waitAgain(
  error: AlmanacError,
  before: OutboxProblem | null,
  now: string,
): { since: string | null } | { end: AlmanacError } {
  if (unbounded.has(error.code)) return { since: before?.since ?? null }
  const since = before?.since ?? now
  if (Date.parse(now) - Date.parse(since) < longestWaitHours * 3_600_000) return { since }
  const { code, message, origin } = error
  return {
    end: new AlmanacError(code, `${message} The call waited for ${longestWaitHours} hours.`, { origin }),
  }
}
