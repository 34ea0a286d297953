// Subscriptions: cursors that are stored for a user.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasPermission } from '../../access/index.ts'
import { emptyReply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import { cursorText, fromText, startOf } from '../schemas/events.ts'
import { callerOf } from '../views/record-caller.ts'
import { channelName } from './channels.ts'

const name = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\w.-]+$/, { error: 'Use letters, digits and - . _ only.' })
const params = z.strictObject({ name })

const subscription = z
  .object({
    name: z.string(),
    owner: z.string(),
    channel: z
      .string()
      .nullable()
      .meta({ description: 'Null if the channel was removed, or you cannot read it.' }),
    cursor: cursorText,
    createdAt: z.string(),
    ackedAt: z.string().nullable(),
    lag: z.int().nullable().meta({
      description: 'Events after the cursor, also those that the subscriber cannot see.',
    }),
    lagSince: z.string().nullable().meta({ description: 'When the oldest of them was committed.' }),
  })
  .meta({ id: 'EventSubscription' })

export const putSubscription = defineRoute({
  method: 'put',
  path: '/events/v3/subscriptions/{name}',
  name: 'putSubscription',
  summary: 'Create a subscription, or move its cursor',
  effect: 'writes',
  params,
  body: z.strictObject({ channel: channelName, from: fromText.default('latest') }),
  reply: subscription,
  errors: [
    ...(['channel.not_found', 'subscription.channel', 'limit.subscriptions'] as const),
    ...(['request.malformed', 'event.cursor', 'limit.busy'] as const),
  ],
  handle: (request) => {
    const { services, params: place, body } = request
    const start = startOf(body.from, undefined)
    if (start === 'needs_partition')
      throw new AlmanacError(
        'request.malformed',
        `from: ${body.from} is the number of an event in one partition, and a subscription follows all. Use a cursor, "earliest" or "latest".`,
      )
    const wanted = { channel: body.channel, start }
    const { events } = services.records
    return events.subscribe(callerOf(request), place.name, wanted)
  },
})

export const ackSubscription = defineRoute({
  method: 'post',
  path: '/events/v3/subscriptions/{name}/ack',
  name: 'ackSubscription',
  summary: 'Store how far a subscription is',
  effect: 'writes',
  params,
  body: z.strictObject({ cursor: cursorText }),
  reply: subscription,
  errors: ['subscription.not_found', 'channel.not_found', 'request.malformed', 'event.cursor', 'limit.busy'],
  handle: (request) =>
    request.services.records.events.ack(callerOf(request), request.params.name, request.body.cursor),
})

export const getSubscription = defineRoute({
  method: 'get',
  path: '/events/v3/subscriptions/{name}',
  name: 'getSubscription',
  summary: 'Get a subscription and its lag',
  effect: 'reads',
  params,
  reply: subscription,
  errors: ['subscription.not_found'],
  handle: (request) => request.services.records.events.subscription(callerOf(request), request.params.name),
})

export const listSubscriptions = defineRoute({
  method: 'get',
  path: '/events/v3/subscriptions',
  name: 'listSubscriptions',
  summary: 'List your subscriptions; those of all users for holders of operations.manage',
  effect: 'reads',
  reply: z.object({ subscriptions: z.array(subscription) }),
  errors: [],
  handle: async (request) => {
    const isOperator = hasPermission(request.access, 'operations.manage')
    const { events } = request.services.records
    return { subscriptions: await events.subscriptions(callerOf(request), { isOperator }) }
  },
})

export const deleteSubscription = defineRoute({
  method: 'delete',
  path: '/events/v3/subscriptions/{name}',
  name: 'deleteSubscription',
  summary: 'Delete a subscription; holders of operations.manage can delete that of another user',
  effect: 'writes',
  params,
  query: z.strictObject({
    owner: z.string().min(1).max(200).optional().meta({ description: 'You if omitted.' }),
  }),
  status: 204,
  errors: ['subscription.not_found', 'limit.busy'],
  handle: async (request) => {
    const { services, access, params: place, query } = request
    const owner = query.owner ?? access.user
    if (owner !== access.user && !hasPermission(access, 'operations.manage'))
      throw new AlmanacError('subscription.not_found', `The subscription "${place.name}" does not exist.`)
    await services.records.events.unsubscribe(callerOf(request), owner, place.name)
    return emptyReply()
  },
})
