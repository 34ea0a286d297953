// The limits of clients as data: numbers, or shares of what all clients of the org can use together, which is 500 requests a
// second after a burst of 1000, and 50 at the same time.

export interface ClientLimitCase {
  name: string
  rateLimit: Readonly<Record<string, unknown>>
  /** As numbers: sustained, burst, concurrency. */
  limits?: readonly [sustained: number, burst: number, concurrency: number]
  /** Seconds in which the burst is gained again. */
  window?: number
  /** Where the declaration is refused. */
  refused?: string
}

export const clientLimitCases: readonly ClientLimitCase[] = [
  { name: 'nothing declared', rateLimit: {}, limits: [50, 100, 10], window: 2 },
  {
    name: 'numbers',
    rateLimit: { sustained: 20, burst: 30, concurrency: 4 },
    limits: [20, 30, 4],
    window: 2,
  },
  {
    name: 'the smallest numbers',
    rateLimit: { sustained: 1, burst: 1, concurrency: 1 },
    limits: [1, 1, 1],
    window: 1,
  },
  {
    name: 'shares',
    rateLimit: { sustained: '10%', burst: '50%', concurrency: '20%' },
    limits: [50, 500, 10],
    window: 10,
  },
  {
    name: 'all of it',
    rateLimit: { sustained: '100%', burst: '100%', concurrency: '100%' },
    limits: [500, 1000, 50],
    window: 2,
  },
  {
    name: 'shares that are less than one',
    rateLimit: { sustained: '1%', burst: '1%', concurrency: '1%' },
    limits: [5, 10, 1],
    window: 2,
  },
  {
    name: 'a number and a share',
    rateLimit: { sustained: 5, burst: '1%' },
    limits: [5, 10, 10],
    window: 2,
  },
  {
    name: 'numbers above the ceiling',
    rateLimit: { sustained: 1_000_000, burst: 1_000_000, concurrency: 1_000_000 },
    limits: [500, 1000, 50],
    window: 2,
  },
  {
    name: 'null, which is as if omitted',
    rateLimit: { concurrency: null },
    limits: [50, 100, 10],
    window: 2,
  },
  { name: 'no requests', rateLimit: { sustained: 0 }, refused: '/body/rateLimit/sustained' },
  { name: 'a negative number', rateLimit: { burst: -1 }, refused: '/body/rateLimit/burst' },
  { name: 'a fraction', rateLimit: { concurrency: 1.5 }, refused: '/body/rateLimit/concurrency' },
  { name: 'too large a number', rateLimit: { sustained: 1_000_001 }, refused: '/body/rateLimit/sustained' },
  { name: 'a number as text', rateLimit: { sustained: '50' }, refused: '/body/rateLimit/sustained' },
  { name: 'a share of nothing', rateLimit: { sustained: '0%' }, refused: '/body/rateLimit/sustained' },
  { name: 'more than all', rateLimit: { burst: '101%' }, refused: '/body/rateLimit/burst' },
  { name: 'a share with a fraction', rateLimit: { burst: '0.5%' }, refused: '/body/rateLimit/burst' },
  { name: 'a share with a space', rateLimit: { burst: '10 %' }, refused: '/body/rateLimit/burst' },
  { name: 'another limit', rateLimit: { perDay: 1 }, refused: '/body/rateLimit/perDay' },
]
