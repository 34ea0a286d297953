// The attempts of a call as a timeline: between two of them a gap, whose height grows with the logarithm of its time.
import type { OutboxAttemptView } from '../../api/operate.ts'

export interface TimedAttempt extends OutboxAttemptView {
  /** Width of its bar, in per cent of the slowest attempt. */
  share: number
  /** The gap before it; null before the first one. */
  gap: { ms: number; height: number } | null
}

const heights = { least: 14, most: 46 }
/** A gap of this time, in milliseconds, has the greatest height. */
const longestMs = 3_600_000

export function timedAttempts(attempts: readonly OutboxAttemptView[]): TimedAttempt[] {
  const slowest = Math.max(1, ...attempts.map(({ latencyMs }) => latencyMs ?? 0))
  return attempts.map((attempt, index) => {
    const before = attempts[index - 1]
    const share = Math.round(((attempt.latencyMs ?? 0) / slowest) * 100)
    if (before === undefined) return { ...attempt, share, gap: null }
    const end = Date.parse(before.at) + (before.latencyMs ?? 0)
    const ms = Math.max(0, Date.parse(attempt.at) - end)
    const part = Math.min(1, Math.log1p(ms) / Math.log1p(longestMs))
    const height = Math.round(heights.least + part * (heights.most - heights.least))
    return { ...attempt, share, gap: { ms, height } }
  })
}
