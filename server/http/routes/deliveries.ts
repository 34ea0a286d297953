// Deliveries to webhook endpoints: those that wait, and dead ones, which operators dispatch again or discard.
import { z } from 'zod'
import type { DeliveryState } from '../../ports/deliveries.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { readDeliveredBody, verificationSteps } from '#kernel/webhooks/index.ts'
import type { DeliveryContentView, DeliveryView } from '#wire/deliveries.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { emptyReply } from '../reply.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import { componentKey, instant, pageQuery } from '../schemas/common.ts'
import { discardBody, handledMembers, handlingMembers } from '../schemas/dead-items.ts'
import { outboxProblem as problem } from '../schemas/outbox.ts'
import { shownValues, showsProblems } from '../views/delivery-access.ts'

const permission = 'operations.manage'

const state = z.enum(['pending', 'held', 'dispatching', 'dispatched', 'dead', 'discarded'])

const delivery = z
  .object({
    id: z.string(),
    endpoint: z.string().meta({ description: 'Key of the endpoint now, or the last one that it had.' }),
    ...{ state, receivedAt: z.string(), correlationId: z.string() },
    senderId: z.string().nullable().meta({ description: 'The id that the sender has given it.' }),
    ...{ mediaType: z.string().nullable(), bytes: z.int() },
    testedBy: z
      .string()
      .nullable()
      .meta({ description: 'The user who has sent it as a test; null for a delivery of the sender.' }),
    attempts: z.array(
      z.object({
        ...{ n: z.int(), at: z.string(), durationMs: z.number().nullable(), error: problem.nullable() },
      }),
    ),
    priorAttempts: z
      .int()
      .meta({ description: 'How many of the attempts were made before it was last requeued.' }),
    nextAttemptAt: z.string().nullable(),
    problem: problem
      .nullable()
      .meta({ description: 'Why it is dead or held, or waits for another attempt.' }),
    resolution: z.object({ at: z.string(), by: z.string(), reason: z.string() }).nullable(),
    dispatchedAt: z.string().nullable(),
    result: z
      .object({
        record: z.string().nullable().meta({ description: '<object>/<id>' }),
        outcome: z.enum(['created', 'changed', 'unchanged']).nullable(),
        operation: z.string().nullable(),
        event: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'Delivery' })

const step = z
  .object({ step: z.enum(verificationSteps), isPassed: z.boolean(), detail: z.string() })
  .meta({ id: 'VerificationStep' })

const content = z
  .object({
    values: z.array(
      z.object({
        name: z.string().meta({ description: 'Of the field or parameter that the endpoint fills.' }),
        pointer: z.string().meta({ description: 'JSON pointer into the body.' }),
        state: z.enum(['shown', 'hidden', 'absent']),
        text: z.string().nullable().meta({ description: 'As JSON, shortened if it is long.' }),
      }),
    ),
    problem: z.string().nullable().meta({ description: 'Why no values can be read from the body.' }),
  })
  .meta({
    id: 'DeliveryContent',
    description:
      'What the endpoint takes from the body now. You see values that you could read where they are written; other members of the body are not returned.',
  })

const count = z.int().max(10_000)

export const listDeliveries = defineRoute({
  method: 'get',
  path: '/setup/v3/deliveries',
  name: 'listDeliveries',
  summary: 'List deliveries to webhook endpoints, newest first',
  effect: 'reads',
  permission,
  query: z.strictObject({
    state: z
      .enum([...state.options, 'open'])
      .optional()
      .meta({ description: '"open": pending, held or dispatching.' }),
    failed: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'Only deliveries of which an attempt has failed, or none.' }),
    endpoint: z.string().max(200).optional().meta({ description: 'Key of the endpoint.' }),
    correlationId: z.string().max(200).optional(),
    since: instant
      .optional()
      .meta({ description: 'Only deliveries that were received at this instant or later.' }),
    until: instant
      .optional()
      .meta({ description: 'Only deliveries that were received before this instant.' }),
    ...pageQuery,
  }),
  reply: z.object({
    rows: z.array(delivery),
    counts: z
      .object({
        ...{ pending: count, held: count, dispatching: count },
        ...{ dispatched: count, dead: count, discarded: count },
      })
      .meta({ description: 'Of the filter, for each state, up to 10,000.' }),
    nextCursor: z.string().nullable(),
  }),
  errors: ['request.malformed'],
  handle: async (request) => {
    const { services, query } = request
    const { state: wanted, failed, limit, cursor, ...others } = query
    const filter = { ...others, hasFailed: failed === undefined ? undefined : failed === 'true' }
    const before = decodeCursor(deliveryCursor, cursor, (text): text is string =>
      /^[0-9a-f-]{36}$/.test(text),
    )
    const page = { limit: Math.min(limit, 200), before }
    const found = await services.deliveries.list({ ...filter, states: wanted && statesOf[wanted] }, page)
    return {
      rows: found.rows.map((each) => shown(request, each)),
      counts: found.counts,
      nextCursor: found.next === null ? null : encodeCursor(deliveryCursor, found.next),
    }
  },
})

const statesOf: Record<'open' | z.output<typeof state>, DeliveryState[]> = {
  open: ['pending', 'held', 'dispatching'],
  ...{ pending: ['pending'], held: ['held'], dispatching: ['dispatching'] },
  ...{ dispatched: ['dispatched'], dead: ['dead'], discarded: ['discarded'] },
}

/** Names the list in its cursors. */
const deliveryCursor = 'deliveries'

type Request = SignedInRequest<unknown, unknown, unknown>

/** The detail of a problem can contain values of the records that the endpoint writes. */
function shown<V extends DeliveryView>(request: Request, view: V): V {
  if (showsProblems(request, view.endpoint)) return view
  const hidden = <T extends V['problem']>(each: T): T =>
    each === null ? each : { ...each, detail: `${each.title}.` }
  return {
    ...view,
    problem: hidden(view.problem),
    attempts: view.attempts.map((each) => ({ ...each, error: hidden(each.error) })),
  }
}

function contentOf(
  request: Request,
  { endpoint, testedBy }: Pick<DeliveryView, 'endpoint' | 'testedBy'>,
  bytes: Uint8Array,
): DeliveryContentView {
  const reading = readDeliveredBody(bytes)
  if (!reading.ok) return { values: [], problem: reading.message }
  const isOwn = testedBy === request.access.user
  return { values: shownValues(request, endpoint, { body: reading.body, isOwn }), problem: null }
}

const params = z.strictObject({ id: z.string().min(1).max(80) })

export const getDelivery = defineRoute({
  method: 'get',
  path: '/setup/v3/deliveries/{id}',
  name: 'getDelivery',
  summary:
    'Show a delivery with each step of its verification, its attempts and the values that its endpoint takes',
  effect: 'reads',
  permission,
  params,
  reply: delivery.extend({ steps: z.array(step), content }).meta({ id: 'DeliveryDetail' }),
  errors: ['delivery.not_found'],
  handle: async (request) => {
    const { services, params: place } = request
    const view = await services.deliveries.get(place.id)
    const bytes = await services.deliveries.body(place.id)
    return { ...shown(request, view), content: contentOf(request, view, bytes) }
  },
})

export const requeueDelivery = defineRoute({
  method: 'post',
  path: '/setup/v3/deliveries/{id}/requeue',
  name: 'requeueDelivery',
  summary: 'Dispatch a dead delivery again',
  effect: 'writes',
  permission,
  params,
  body: z
    .strictObject({
      acceptRepeat: z.boolean().default(false).meta({
        description: 'Whether to repeat a callout of which it is not known whether it was carried out.',
      }),
    })
    .prefault({}),
  status: 204,
  errors: ['delivery.not_found', 'conflict.delivery_state', 'delivery.not_repeatable'],
  handle: async ({ services, by, params: { id }, body }) => {
    await services.deliveries.requeue(by, id, body.acceptRepeat)
    services.deliveryWorker?.wake()
    return emptyReply({ status: 204 })
  },
})

export const discardDelivery = defineRoute({
  method: 'post',
  path: '/setup/v3/deliveries/{id}/discard',
  name: 'discardDelivery',
  summary: 'Close a dead delivery that is not dispatched, with a reason for the audit',
  effect: 'writes',
  permission,
  params,
  body: discardBody,
  status: 204,
  errors: ['delivery.not_found', 'conflict.delivery_state'],
  handle: async ({ services, by, params: { id }, body }) => {
    await services.deliveries.discard(by, id, body.reason)
    return emptyReply({ status: 204 })
  },
})

export const handleDeliveries = defineRoute({
  method: 'post',
  path: '/setup/v3/deliveries/actions',
  name: 'handleDeliveries',
  summary: 'Requeue or discard all dead deliveries of a filter as a job; or only count them',
  effect: 'writes',
  permission,
  body: z.strictObject({
    action: z.enum(['requeue', 'discard']),
    filter: z.strictObject({
      endpoint: z.string().max(200).optional(),
      correlationId: z.string().max(200).optional(),
      ...{ since: instant.optional(), until: instant.optional() },
    }),
    acceptRepeat: z.boolean().default(false).meta({
      description:
        'Whether to requeue deliveries with a callout that may have been carried out. Otherwise they stay dead.',
    }),
    ...handlingMembers,
  }),
  reply: z
    .object({
      rows: z.int().meta({ description: 'Dead deliveries of the filter.' }),
      ...handledMembers,
    })
    .meta({ id: 'DeliveryAction' }),
  errors: ['request.invalid'],
  handle: async ({ services, by, body: { dryRun, ...request } }) => {
    if (dryRun) return { ...(await services.deliveryActions.count(request.filter)), job: null }
    const started = await services.deliveryActions.start(by, request)
    services.recordJobs?.wake()
    return started
  },
})

/** Of a test delivery: a day. */
const mostAgeSec = 86_400

export const testWebhook = defineRoute({
  method: 'post',
  path: '/setup/v3/webhooks/{endpoint}/test',
  name: 'testWebhook',
  summary:
    'Send a delivery to a webhook endpoint, signed with one of its secrets; it is dispatched like any other',
  effect: 'writes',
  // A user who can write the secret could sign the same delivery.
  permission: 'integration.manage_credentials',
  params: z.strictObject({ endpoint: componentKey }),
  body: z.strictObject({
    body: z
      .string()
      .max(256 * 1024)
      .meta({ description: 'The body as it is sent and signed.' }),
    id: z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/)
      .optional()
      .meta({
        description: 'The id of the delivery, if the endpoint reads it from a header. If omitted, a new one.',
      }),
    secret: z.enum(['current', 'next', 'wrong']).default('current').meta({
      description: 'With which it is signed. "wrong" makes up a secret, so the delivery is refused.',
    }),
    ageSec: z.int().min(-mostAgeSec).max(mostAgeSec).default(0).meta({
      description:
        'How many seconds before now it was signed, if the endpoint reads that; negative for the future.',
    }),
  }),
  reply: z
    .object({
      result: z.enum(['stored', 'repeated', 'challenge', 'refused']),
      delivery: z.string().nullable().meta({ description: 'Null if nothing is stored.' }),
      challenge: z.string().nullable().meta({ description: 'What the sender gets back.' }),
      refusal: z
        .object({ status: z.int(), code: z.string(), detail: z.string() })
        .nullable()
        .meta({ description: 'What the sender gets of a delivery that is refused; without the steps.' }),
      steps: z.array(step),
    })
    .meta({ id: 'WebhookTest' }),
  errors: ['component.not_found', 'webhook.secret_absent'],
  handle: async ({ services, snapshot, by, params: { endpoint: key }, body }) => {
    const endpoint = snapshot.view.get('webhook_endpoint', key)
    if (endpoint === undefined)
      throw new AlmanacError('component.not_found', `The webhook endpoint ${key} does not exist.`)
    const { actor, correlationId } = by
    const { steps, ...sent } = await services.webhooks.testSender.send(endpoint, {
      ...{ ...body, correlationId, by: actor },
    })
    return { ...sent, steps: [...steps] }
  },
})
