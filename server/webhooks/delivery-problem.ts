// What a failed dispatch means: whether it is repeated, and when.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { outboxProblem } from '../outbox/index.ts'
import type { OutboxProblem } from '../ports/outbox.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'

/** A callout of an automation has an origin of its own. */
export const deliveryProblem = (error: AlmanacError): OutboxProblem =>
  outboxProblem(error, 'integration.webhook')

/** Milliseconds until the next attempt, after each failed one. */
const waits = [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000]

/** Then the delivery itself could be what ends the process. */
const mostInterrupted = 10

/** Errors of the moment, though a caller who waits should not simply repeat the request. */
const passing: ReadonlySet<ErrorCode> = new Set(['limit.save_deadline', 'conflict.stale_version'])

/**
 * Null if the delivery has failed for good.
 * @param made attempts, with this one
 * @param random at least 0, less than 1
 */
export function nextWait(error: AlmanacError, made: number, random: number): number | null {
  if (!error.kind.retriable && !passing.has(error.code)) return null
  const wait = waits[made - 1]
  if (wait === undefined) return null
  const requested = Math.min((error.retryAfter ?? 0) * 1000, waits.at(-1)!)
  return Math.max(requested, Math.round(wait * (0.9 + 0.2 * random)))
}

/** Whether the process has ended too often in the middle, one time after the other. */
export function endsProcesses(attempts: readonly { error: { code: string } | null }[]): boolean {
  const last = attempts.slice(-mostInterrupted)
  return last.length === mostInterrupted && last.every(({ error }) => error?.code === 'webhook.interrupted')
}
