// How many requests each webhook endpoint takes: a token bucket in front of everything that a request costs.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export interface ReceiptRate {
  /** @throws AlmanacError `limit.webhook_rate` with the seconds to wait */
  admit(endpoint: string): void
}

/** Of one endpoint, in this process. */
const rate = { perSecond: 1000, burst: 2000 }

interface Bucket {
  left: number
  filledAt: number
}

/** @param elapsed milliseconds of a clock that never goes back */
export function createReceiptRate(elapsed: () => number, { perSecond, burst } = rate): ReceiptRate {
  const buckets = new Map<string, Bucket>()
  return {
    admit: (endpoint) => {
      const now = elapsed()
      const bucket = buckets.get(endpoint) ?? { left: burst, filledAt: now }
      const left = Math.min(burst, bucket.left + ((now - bucket.filledAt) / 1000) * perSecond)
      buckets.set(endpoint, { left: Math.max(left - 1, left < 1 ? left : 0), filledAt: now })
      if (left >= 1) return
      throw new AlmanacError(
        'limit.webhook_rate',
        `The webhook takes ${perSecond} deliveries per second. Wait, then send it again.`,
        { retryAfter: Math.ceil((1 - left) / perSecond) },
      )
    },
  }
}
