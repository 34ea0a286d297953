// When the attempts of a call follow each other: pure functions over the retries of a named credential.
import type { NamedCredentialBody } from './body.ts'

type RetryPolicy = NamedCredentialBody['retry']

/** The longest wait: an outbox honours Retry-After up to here, and backoff does not grow further. */
export const maxRetryWaitMs = 3_600_000

/**
 * The wait after an attempt. With jitter, the second half of each step is random: calls that failed together do not return
 * together.
 * @param attempts made so far
 * @param random at least 0, less than 1
 */
export function backoffMs(
  { backoff, baseMs, jitter }: RetryPolicy,
  attempts: number,
  random: number,
): number {
  const growth = backoff === 'exponential' ? 2 ** (attempts - 1) : 1
  const step = Math.min(baseMs * growth, maxRetryWaitMs)
  return Math.round(jitter ? step / 2 + (random * step) / 2 : step)
}

/** When an attempt can begin, in milliseconds after the first one, if each fails at once. */
export interface ScheduledAttempt {
  /** From 1. */
  n: number
  earliestMs: number
  /** The same without jitter. */
  latestMs: number
}

export function retrySchedule(policy: RetryPolicy): ScheduledAttempt[] {
  const schedule: ScheduledAttempt[] = [{ n: 1, earliestMs: 0, latestMs: 0 }]
  for (let n = 2; n <= policy.attempts; n += 1) {
    const { earliestMs, latestMs } = schedule.at(-1)!
    schedule.push({
      n,
      earliestMs: earliestMs + backoffMs(policy, n - 1, 0),
      latestMs: latestMs + backoffMs(policy, n - 1, 1),
    })
  }
  return schedule
}
