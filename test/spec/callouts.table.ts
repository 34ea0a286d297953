// Retries, circuit breaker and budget of calls, one row per case (docs/reference/callouts.md), for both that make calls:
// an operation that waits for the response, and the outbox. Times are seconds.
import type { CalloutMethod } from '../../server/ports/callout-transport.ts'

/** A status, what else a response has, or a fault; `timeout`: nothing arrives within `timeoutMs`. */
export type Reply =
  | number
  | { status: number; retryAfter?: string; after?: number }
  | 'timeout'
  | 'unreachable'
  | 'lost'
  | 'tls'

export interface Expected {
  /** When requests arrive at the target. */
  sent: readonly number[]
  /** Of each call: `delivered`, or or `dead` with its code; `open` with the code for which it waits. */
  ends: readonly string[]
}

export interface CalloutCase {
  name: string
  /** Of the named credential. */
  credential?: object
  method?: CalloutMethod
  isKeyed?: boolean
  /** When calls are made, or left in the outbox; by default one at once. */
  calls?: readonly number[]
  isOfOneRecord?: boolean
  /** In the order of the requests; the last one is repeated. */
  replies: readonly Reply[]
  /** Of the jitter: at least 0, less than 1. */
  random?: number
  events?: readonly { at: number; do: 'force_open' | 'force_close' | 'revoke_grant' }[]
  /** How long the case goes on; by default 12. */
  until?: number
  operation?: Expected
  outbox?: Expected
}

const retry = (more: object): object => ({ retry: { jitter: false, ...more } })
const exact = retry({})
const breaker = (failureThreshold: number, more: object = {}): object => ({
  ...retry({ attempts: 1 }),
  circuitBreaker: { failureThreshold, windowSec: 5, openSec: 3, ...more },
})
const both = (sent: readonly number[], ...ends: string[]): Pick<CalloutCase, 'operation' | 'outbox'> => ({
  operation: { sent, ends },
  outbox: { sent, ends },
})
const unknown = 'dead integration.outcome_unknown'

export const calloutCases: readonly CalloutCase[] = [
  { name: 'a success is sent once', replies: [200], ...both([0], 'delivered') },
  {
    name: 'by default four attempts, each after twice the time',
    ...{ credential: exact, replies: [503] },
    ...both([0, 0.2, 0.6, 1.4], 'dead integration.remote_failed'),
  },
  {
    name: 'the first success ends it',
    ...{ credential: exact, replies: [503, 'lost', 204] },
    ...both([0, 0.2, 0.6], 'delivered'),
  },
  {
    name: 'fixed backoff',
    ...{ credential: retry({ backoff: 'fixed', baseMs: 500, attempts: 3 }), replies: [500] },
    ...both([0, 0.5, 1], 'dead integration.remote_failed'),
  },
  {
    name: 'jitter at its least is half of the step',
    ...{ credential: { retry: { attempts: 3 } }, replies: [500], random: 0 },
    ...both([0, 0.1, 0.3], 'dead integration.remote_failed'),
  },
  {
    name: 'jitter in the middle is three quarters of it',
    ...{ credential: { retry: { attempts: 3 } }, replies: [500], random: 0.5 },
    ...both([0, 0.15, 0.45], 'dead integration.remote_failed'),
  },
  {
    name: 'one attempt is one attempt',
    ...{ credential: retry({ attempts: 1 }), replies: ['unreachable'] },
    ...both([0], 'dead integration.unreachable'),
  },
  {
    name: 'no response within timeoutMs is a failure like others',
    ...{ credential: { ...exact, timeoutMs: 1000 }, replies: ['timeout', 200] },
    ...both([0, 1.2], 'delivered'),
  },
  {
    name: 'by default a timeout is 5 s',
    ...{ credential: retry({ attempts: 2 }), replies: ['timeout', 200] },
    ...both([0, 5.2], 'delivered'),
  },
  ...(
    [
      ['timeout', 'timeout'],
      ['unreachable', 'connection'],
      ['lost', 'connection'],
      [429, 'http_429'],
      [500, 'http_5xx'],
      [504, 'http_5xx'],
    ] as const
  ).map(([reply, trigger]) => ({
    name: `${reply} is repeated if retryOn has ${trigger}`,
    credential: { ...retry({ retryOn: [trigger] }), timeoutMs: 1000 },
    replies: [reply, 200],
    ...both(reply === 'timeout' ? [0, 1.2] : [0, 0.2], 'delivered'),
  })),
  {
    name: 'and not if it has others',
    credential: retry({ retryOn: ['timeout', 'connection', 'http_429'] }),
    ...{ replies: [500], ...both([0], 'dead integration.remote_failed') },
  },
  {
    name: 'a refusal is final',
    ...{ credential: exact, replies: [404], ...both([0], 'dead integration.refused') },
  },
  {
    name: 'a redirect is a failure, and is not followed',
    ...{ credential: exact, replies: [302], ...both([0], 'dead integration.redirect_refused') },
  },
  {
    name: 'a certificate that is not valid is not tried again',
    ...{ credential: exact, replies: ['tls'], ...both([0], 'dead integration.tls') },
  },
  ...(['PUT', 'DELETE', 'HEAD'] as const).map((method) => ({
    ...{ name: `${method} is repeated`, method, credential: exact, replies: [503, 200] },
    ...both([0, 0.2], 'delivered'),
  })),
  ...(['POST', 'PATCH'] as const).flatMap((method): CalloutCase[] => [
    {
      name: `${method} with a declared key is repeated`,
      ...{ method, isKeyed: true, credential: exact, replies: ['lost', 503, 200] },
      ...both([0, 0.2, 0.6], 'delivered'),
    },
    {
      name: `${method} without one gets one attempt, whose failure stays what it is`,
      ...{ method, credential: exact, replies: [503, 200], ...both([0], 'dead integration.remote_failed') },
    },
    {
      name: `${method} without one is not even repeated if it was not sent`,
      ...{ method, credential: exact, replies: ['unreachable', 200] },
      ...both([0], 'dead integration.unreachable'),
    },
    {
      name: `${method} that is lost has an unknown outcome`,
      ...{ method, credential: exact, replies: ['lost', 200] },
      operation: { sent: [0], ends: ['dead integration.connection_lost'] },
      outbox: { sent: [0], ends: [unknown] },
    },
    {
      name: `${method} behind a gateway that gives up has an unknown outcome`,
      ...{ method, credential: exact, replies: [504, 200] },
      operation: { sent: [0], ends: ['dead integration.remote_failed'] },
      outbox: { sent: [0], ends: [unknown] },
    },
  ]),

  {
    name: 'Retry-After is honoured whole',
    ...{ credential: exact, replies: [{ status: 429, retryAfter: '7' }, 200], ...both([0, 7], 'delivered') },
  },
  {
    name: 'but a step that is longer is waited for',
    credential: retry({ baseMs: 4000 }),
    ...{ replies: [{ status: 503, retryAfter: '1' }, 200], ...both([0, 4], 'delivered') },
  },
  {
    name: 'in an operation, which cannot wait that long, it fails at once; in the outbox it is waited for',
    ...{ credential: exact, replies: [{ status: 503, retryAfter: '90' }, 200], until: 100 },
    operation: { sent: [0], ends: ['dead integration.remote_failed'] },
    outbox: { sent: [0, 90], ends: ['delivered'] },
  },
  {
    name: 'at most an hour',
    ...{ credential: exact, replies: [{ status: 503, retryAfter: '86400' }, 200], until: 3700 },
    outbox: { sent: [0, 3600], ends: ['delivered'] },
  },
  {
    name: 'an operation ends whole within 60 s',
    credential: { ...retry({ attempts: 20, backoff: 'fixed', baseMs: 1000 }), timeoutMs: 29_000 },
    ...{ replies: ['timeout'], until: 70 },
    operation: { sent: [0, 30], ends: ['dead integration.timeout'] },
  },

  {
    name: 'a breaker opens at its threshold, and costs a call in the outbox no attempt',
    ...{ credential: breaker(2), replies: [500, 500, 200], calls: [0, 1, 2], until: 8 },
    operation: {
      sent: [0, 1],
      ends: [
        'dead integration.remote_failed',
        'dead integration.remote_failed',
        'dead integration.breaker_open',
      ],
    },
    outbox: {
      sent: [0, 1, 4],
      ends: ['dead integration.remote_failed', 'dead integration.remote_failed', 'delivered'],
    },
  },
  ...(['timeout', 'unreachable', 'lost', 'tls', 502, 503] as const).map((reply): CalloutCase => ({
    name: `${reply} counts for the breaker`,
    credential: { ...breaker(1), timeoutMs: 1000 },
    ...{ method: 'PUT', replies: [reply, 200], calls: [0, 2], until: 3 },
    operation: { sent: [0], ends: [endOf(reply), 'dead integration.breaker_open'] },
  })),
  ...([429, 400, 401, 404, 302] as const).map((reply): CalloutCase => ({
    name: `${reply} does not count for it`,
    credential: breaker(1),
    ...{ replies: [reply, 200], calls: [0, 2], until: 3 },
    ...both([0, 2], endOf(reply), 'delivered'),
  })),
  {
    name: 'failures that are further apart than windowSec do not open it',
    ...{ credential: breaker(2), replies: [500, 500, 200], calls: [0, 5.1, 5.2] },
    ...both([0, 5.1, 5.2], 'dead integration.remote_failed', 'dead integration.remote_failed', 'delivered'),
  },
  {
    name: 'after openSec one call probes, and its success closes the breaker',
    ...{ credential: breaker(1), replies: [500, { status: 200, after: 0.5 }, 200], calls: [0, 3.1, 3.2, 4] },
    operation: {
      sent: [0, 3.1, 4],
      ends: ['dead integration.remote_failed', 'delivered', 'dead integration.breaker_open', 'delivered'],
    },
    outbox: {
      sent: [0, 3.1, 4, 4.2],
      ends: ['dead integration.remote_failed', 'delivered', 'delivered', 'delivered'],
    },
  },
  {
    name: 'a probe that fails opens it for openSec again',
    ...{ credential: breaker(1), replies: [500, 500, 200], calls: [0, 3.1, 6, 6.2] },
    operation: {
      sent: [0, 3.1, 6.2],
      ends: [
        'dead integration.remote_failed',
        'dead integration.remote_failed',
        'dead integration.breaker_open',
        'delivered',
      ],
    },
  },
  {
    name: 'an administrator keeps it open until one closes it',
    ...{ credential: exact, replies: [200], calls: [1], until: 45 },
    events: [
      { at: 0, do: 'force_open' },
      { at: 20, do: 'force_close' },
    ],
    operation: { sent: [], ends: ['dead integration.breaker_open'] },
    outbox: { sent: [31], ends: ['delivered'] },
  },

  {
    name: 'a call that waits for a breaker has that as its problem',
    ...{ credential: exact, replies: [200], events: [{ at: 0, do: 'force_open' }] },
    outbox: { sent: [], ends: ['open integration.breaker_open'] },
  },

  {
    name: 'a budget of requests per minute',
    credential: { ...exact, budget: { requestsPerMinute: 2 } },
    ...{ replies: [200], calls: [0, 1, 2], until: 70 },
    operation: { sent: [0, 1], ends: ['delivered', 'delivered', 'dead limit.callout_budget'] },
    outbox: { sent: [0, 1, 60], ends: ['delivered', 'delivered', 'delivered'] },
  },
  {
    name: 'a budget of calls at the same time',
    credential: { ...exact, budget: { concurrency: 1 } },
    ...{ replies: [{ status: 200, after: 2 }], calls: [0, 1], until: 6 },
    operation: { sent: [0], ends: ['delivered', 'dead limit.callout_budget'] },
    outbox: { sent: [0, 2], ends: ['delivered', 'delivered'] },
  },
  {
    name: 'an attempt that is repeated uses the budget again',
    credential: { ...retry({ attempts: 3 }), budget: { requestsPerMinute: 2 } },
    ...{ replies: [503, 503, 200], until: 70 },
    operation: { sent: [0, 0.2], ends: ['dead limit.callout_budget'] },
    outbox: { sent: [0, 0.2, 60], ends: ['delivered'] },
  },

  {
    name: 'a grant that is lost between attempts ends it',
    ...{ credential: retry({ baseMs: 2000 }), replies: [503, 200] },
    events: [{ at: 1, do: 'revoke_grant' }],
    ...both([0], 'dead access.denied'),
  },
  {
    name: 'an older call of the same record goes first, even while it waits; a dead one holds up no other',
    ...{ credential: retry({ attempts: 2, baseMs: 3000 }), replies: [503, 500, 200, 200] },
    ...{ calls: [0, 1, 2], isOfOneRecord: true },
    outbox: { sent: [0, 3, 3, 3], ends: ['dead integration.remote_failed', 'delivered', 'delivered'] },
  },
  {
    name: 'calls of other records do not wait for it',
    ...{ credential: retry({ attempts: 2, baseMs: 3000 }), replies: [503, 200, 200], calls: [0, 1] },
    outbox: { sent: [0, 1, 3], ends: ['delivered', 'delivered'] },
  },
]

/** The end of a call with this one reply. */
function endOf(reply: Reply): string {
  const codes: Record<string, string> = {
    ...{ timeout: 'timeout', unreachable: 'unreachable', lost: 'connection_lost', tls: 'tls' },
    ...{ 429: 'throttled', 400: 'refused', 401: 'sign_in', 404: 'refused', 302: 'redirect_refused' },
    ...{ 502: 'remote_failed', 503: 'remote_failed' },
  }
  return `dead integration.${codes[String(reply)]}`
}
