// The circuit breakers of named credentials, and test calls.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { BreakerStatus, TestCallView } from '#wire/operations.ts'
import { defineRoute } from '../route.ts'
import { componentKey } from '../schemas/common.ts'

const permission = 'operations.manage'

const breaker = z
  .object({
    credential: z.string(),
    label: z.string(),
    state: z.enum(['closed', 'open', 'half_open', 'forced_open']),
    since: z.string().nullable().meta({ description: 'When it last changed; null if it never did.' }),
    cause: z.string().nullable(),
    by: z.string().nullable().meta({ description: 'The user who forced it.' }),
    reason: z.string().nullable(),
    nextProbeAt: z
      .string()
      .nullable()
      .meta({ description: 'When the next call probes the target; null unless it is open.' }),
    failures: z.int().meta({ description: 'Within the window, if it is closed.' }),
    policy: z.object({ failureThreshold: z.int(), windowSec: z.int(), openSec: z.int() }),
    budget: z.object({
      ...{ concurrency: z.int(), requestsPerMinute: z.int() },
      sentLastMinute: z
        .int()
        .meta({ description: 'About; a process reports what it sends from time to time.' }),
    }),
  })
  .meta({ id: 'Breaker' }) satisfies z.ZodType<BreakerStatus>

export const listBreakers = defineRoute({
  method: 'get',
  path: '/setup/v3/breakers',
  name: 'listBreakers',
  summary: 'List the circuit breakers of named credentials: their states, why, and the use of their budgets',
  effect: 'reads',
  permission,
  reply: z.object({ breakers: z.array(breaker) }),
  errors: [],
  handle: async ({ services }) => ({ breakers: await services.breakers.list() }),
})

const params = z.strictObject({ credential: componentKey })
const body = z.strictObject({
  reason: z.string().trim().min(1).max(1000).meta({ description: 'For the audit.' }),
})

export const openBreaker = defineRoute({
  method: 'post',
  path: '/setup/v3/breakers/{credential}/open',
  name: 'openBreaker',
  summary: 'Open the circuit breaker of a named credential: no call is made until a user closes it',
  effect: 'writes',
  permission,
  ...{ params, body, reply: breaker, errors: ['component.not_found'] },
  handle: ({ services, by, params: { credential }, body: { reason } }) =>
    services.breakers.forceOpen(by, credential, reason),
})

export const closeBreaker = defineRoute({
  method: 'post',
  path: '/setup/v3/breakers/{credential}/close',
  name: 'closeBreaker',
  summary: 'Close the circuit breaker of a named credential: calls are made again at once',
  effect: 'writes',
  permission,
  ...{ params, body, reply: breaker, errors: ['component.not_found'] },
  handle: async ({ services, by, params: { credential }, body: { reason } }) => {
    const closed = await services.breakers.forceClose(by, credential, reason)
    await services.outbox.release(credential)
    services.outboxWorker?.wake()
    return closed
  },
})

export const testNamedCredential = defineRoute({
  method: 'post',
  path: '/setup/v3/named-credentials/{credential}/test',
  name: 'testNamedCredential',
  summary:
    'Call the URL of a named credential as the current user, and show the status; the response is discarded',
  effect: 'writes',
  permission,
  params,
  body: z.strictObject({ method: z.enum(['GET', 'HEAD']).default('HEAD') }).prefault({}),
  reply: z
    .object({
      result: z.enum(['delivered', 'failed']),
      method: z.enum(['GET', 'HEAD']),
      endpoint: z.string(),
      status: z.int().nullable(),
      latencyMs: z.number().nullable(),
      problem: z.object({ code: z.string(), title: z.string(), detail: z.string() }).nullable(),
      correlationId: z.string(),
    })
    .meta({ id: 'TestCall' }) satisfies z.ZodType<TestCallView>,
  errors: ['component.not_found'],
  handle: ({ services, by, snapshot, params: { credential: key }, body: { method } }) => {
    const credential = snapshot.view.get('named_credential', key)
    if (credential === undefined)
      throw new AlmanacError('component.not_found', `The named credential ${key} does not exist.`)
    return services.testCall({ credential, method, actor: by.actor, correlationId: by.correlationId })
  },
})
