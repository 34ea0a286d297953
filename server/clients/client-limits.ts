// Limits of integration clients: a token bucket and a number of concurrent requests for each client, and the same for all
// clients of the org together.
import type { IntegrationClientBody } from '#kernel/components/integration-client/body.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

type RateLimit = IntegrationClientBody['rateLimit']

export interface Ceiling {
  /** Requests per second. */
  sustained: number
  burst: number
  concurrency: number
}

/** What all clients of an org can use together. */
export const orgCeiling: Ceiling = { sustained: 500, burst: 1000, concurrency: 50 }

export interface Admission {
  /** `RateLimit` and `RateLimit-Policy`, of the client. */
  headers: Readonly<Record<string, string>>
  /** Ends the request; further calls have no effect. */
  release(): void
}

export type Admitted = Admission | { headers: Admission['headers']; error: AlmanacError }

/** What a client has used since the server started, and what it can use now. */
export interface ClientLoad {
  /** The declared limits as numbers. */
  limits: Ceiling
  /** Requests that can be sent now at once. */
  left: number
  running: number
  requests: number
  /** Requests above the limits. */
  refused: number
  /** Milliseconds since the last request; null without one. */
  idleMs: number | null
}

export interface ClientLimits {
  /** What all clients can use together, of which shares are parts. */
  readonly ceiling: Ceiling
  load(client: string, limit: RateLimit): ClientLoad
  /** Milliseconds since the counts began. */
  countedMs(): number
  /** The error is `limit.rate` or `limit.concurrency`, with the seconds to wait. */
  admit(client: string, limit: RateLimit): Admitted
}

/** @param elapsed milliseconds of a clock that never goes back */
export function createClientLimits(elapsed: () => number, ceiling: Ceiling = orgCeiling): ClientLimits {
  const begun = elapsed()
  const org = new Bucket(ceiling, begun)
  const clients = new Map<string, Bucket>()
  const bucketOf = (client: string, declared: RateLimit): Bucket => {
    let bucket = clients.get(client)
    if (bucket?.declared === declared) return bucket
    const limit = limitOf(declared, ceiling)
    if (bucket === undefined) clients.set(client, (bucket = new Bucket(limit, elapsed())))
    bucket.limit = limit
    bucket.declared = declared
    return bucket
  }
  return {
    ceiling,
    countedMs: () => elapsed() - begun,
    load: (client, declared) => {
      const own = clients.get(client)
      const limits = limitOf(declared, ceiling)
      if (own === undefined)
        return { limits, left: limits.burst, running: 0, requests: 0, refused: 0, idleMs: null }
      own.limit = limits
      const now = elapsed()
      own.refill(now)
      const { running, requests, refused, usedAt } = own
      return { limits, left: Math.floor(own.tokens), running, requests, refused, idleMs: now - usedAt }
    },
    admit: (client, declared) => {
      const own = bucketOf(client, declared)
      const now = elapsed()
      for (const bucket of [own, org]) bucket.refill(now)
      const ownRefusal = refusalOf(client, own)
      const refusal = ownRefusal ?? refusalOf('all clients of this org', org)
      own.count(now, refusal !== null)
      if (refusal !== null)
        return { headers: ownRefusal === null ? bothHeaders(own, org) : own.headers(), error: refusal }
      let isOpen = true
      for (const bucket of [own, org]) bucket.take()
      return {
        headers: own.headers(),
        release: () => {
          if (!isOpen) return
          isOpen = false
          for (const bucket of [own, org]) bucket.running -= 1
        },
      }
    },
  }
}

function refusalOf(who: string, { limit, running, tokens }: Bucket): AlmanacError | null {
  if (tokens < 1)
    return new AlmanacError(
      'limit.rate',
      `More requests of ${who} than ${limit.sustained} a second, after a burst of ${limit.burst}. Wait before the next request.`,
      { retryAfter: Math.max(1, Math.ceil((1 - tokens) / limit.sustained)) },
    )
  if (running >= limit.concurrency)
    return new AlmanacError(
      'limit.concurrency',
      `More than ${limit.concurrency} requests of ${who} at the same time. Wait for a response before the next request.`,
      { retryAfter: 1 },
    )
  return null
}

class Bucket {
  limit: Ceiling
  /** That of which `limit` consists; null for the org. */
  declared: RateLimit | null = null
  tokens: number
  running = 0
  requests = 0
  refused = 0
  usedAt: number
  #filledAt: number

  constructor(limit: Ceiling, now: number) {
    this.limit = limit
    this.tokens = limit.burst
    this.#filledAt = this.usedAt = now
  }

  count(now: number, isRefused: boolean): void {
    this.requests += 1
    if (isRefused) this.refused += 1
    this.usedAt = now
  }

  refill(now: number): void {
    const gained = ((now - this.#filledAt) / 1000) * this.limit.sustained
    this.tokens = Math.min(this.limit.burst, this.tokens + gained)
    this.#filledAt = now
  }

  take(): void {
    this.tokens -= 1
    this.running += 1
  }

  headers(policy = 'client'): Record<'RateLimit' | 'RateLimit-Policy', string> {
    const { burst, sustained } = this.limit
    const missing = burst - this.tokens
    return {
      'RateLimit-Policy': `"${policy}";q=${burst};w=${Math.max(1, Math.ceil(burst / sustained))}`,
      RateLimit: `"${policy}";r=${Math.max(0, Math.floor(this.tokens))};t=${Math.ceil(missing / sustained)}`,
    }
  }
}

/** Where all clients together have used up the limit of the org, the client's own would not show why it must wait. */
function bothHeaders(own: Bucket, org: Bucket): Record<string, string> {
  const [client, all] = [own.headers(), org.headers('org')]
  return {
    'RateLimit-Policy': `${client['RateLimit-Policy']}, ${all['RateLimit-Policy']}`,
    RateLimit: `${client.RateLimit}, ${all.RateLimit}`,
  }
}

/** A share of the org's ceiling is at least 1; a number above the ceiling could never be used. */
function limitOf(declared: RateLimit, ceiling: Ceiling): Ceiling {
  const numberOf = (name: keyof Ceiling): number => {
    const amount = declared[name]
    if (typeof amount === 'number') return Math.min(amount, ceiling[name])
    return Math.max(1, Math.floor((ceiling[name] * Number(amount.slice(0, -1))) / 100))
  }
  return { sustained: numberOf('sustained'), burst: numberOf('burst'), concurrency: numberOf('concurrency') }
}
