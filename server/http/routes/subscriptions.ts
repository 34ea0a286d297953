// Subscriptions: cursors that are stored for a user.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { hasPermission } from '../../access/index.ts'
import { emptyReply } from '../reply.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { instant, pageQuery } from '../schemas/common.ts'
import { cursorText, eventGap, fromText, partition, startIn } from '../schemas/events.ts'
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
    channel: z.string().nullable().meta({
      description:
        'Null if the channel was removed. Without operations.manage it is null too if you cannot read it.',
    }),
    cursor: cursorText,
    createdAt: z.string(),
    ackedAt: z.string().nullable(),
    lag: z.int().nullable().meta({
      description: 'Events after the cursor, also those that the subscriber cannot see.',
    }),
    lagSince: z.string().nullable().meta({ description: 'When the oldest of them was committed.' }),
  })
  .meta({ id: 'EventSubscription' })

const owner = z.string().min(1).max(200).optional().meta({
  description: 'You if omitted. That of another user needs operations.manage.',
})
const partitionNumber = z.int().min(0).max(63).optional().meta({
  description: 'Moves the subscription in this partition only.',
})

/** A subscription of another user exists only for operators. */
function placeOf(
  { access }: Pick<SignedInRequest<unknown, unknown, unknown>, 'access'>,
  { name: named, owner: of = access.user }: { name: string; owner?: string | undefined },
): { owner: string; name: string } {
  if (of !== access.user && !hasPermission(access, 'operations.manage'))
    throw new AlmanacError('subscription.not_found', `The subscription "${named}" does not exist.`)
  return { owner: of, name: named }
}

export const putSubscription = defineRoute({
  method: 'put',
  path: '/events/v3/subscriptions/{name}',
  name: 'putSubscription',
  summary:
    'Create a subscription, or move its cursor; holders of operations.manage can move that of another user',
  effect: 'writes',
  params,
  query: z.strictObject({ owner }),
  body: z.strictObject({
    channel: channelName,
    from: fromText.default('latest'),
    partition: partitionNumber,
  }),
  reply: subscription,
  errors: [
    ...(['channel.not_found', 'subscription.channel', 'subscription.not_found'] as const),
    ...(['limit.subscriptions', 'request.malformed', 'event.cursor', 'limit.busy'] as const),
  ],
  handle: (request) => {
    const { services, params: place, query, body, by } = request
    const { channel, from, partition: only } = body
    const wanted = { channel, start: startIn(from, only), partition: only ?? null }
    const of = placeOf(request, { ...place, ...query })
    return services.records.events.subscribe(callerOf(request), of, wanted, by)
  },
})

export const countReplay = defineRoute({
  method: 'get',
  path: '/events/v3/subscriptions/{name}/replay',
  name: 'countReplay',
  summary: 'Count the events that a subscription would receive again, or not at all, if it was moved',
  effect: 'reads',
  params,
  query: z.strictObject({ owner, from: fromText, partition: partition.optional() }),
  reply: z.object({
    cursor: cursorText.meta({ description: 'Where it would go on. Use it to move the subscription.' }),
    repeated: z.int(),
    skipped: z.int(),
    gap: eventGap.nullable(),
  }),
  errors: ['subscription.not_found', 'channel.not_found', 'request.malformed', 'event.cursor', 'limit.busy'],
  handle: (request) => {
    const { services, params: place, query } = request
    const { from, partition: only } = query
    const wanted = { start: startIn(from, only), partition: only ?? null }
    const of = placeOf(request, { name: place.name, owner: query.owner })
    return services.records.events.replay(callerOf(request), of, wanted)
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

/** Names the list in its cursors. */
const listCursor = 'subscriptions'
const maxPage = 200

/** Which subscriptions a list shows, or a deletion takes. */
const filterMembers = {
  owner: z.string().min(1).max(200).optional(),
  channel: channelName.optional(),
}
const removedText =
  'Whether the channel was removed; unless you hold operations.manage, also whether you cannot read it any more.'

export const listSubscriptions = defineRoute({
  method: 'get',
  path: '/events/v3/subscriptions',
  name: 'listSubscriptions',
  summary: 'List your subscriptions; those of all users for holders of operations.manage',
  effect: 'reads',
  query: z.strictObject({
    ...filterMembers,
    removed: z.enum(['true', 'false']).optional().meta({ description: removedText }),
    ...pageQuery,
  }),
  reply: z.object({
    subscriptions: z.array(subscription).meta({ description: 'By owner and name. A page has at most 200.' }),
    total: z.int().meta({ description: 'Of the filter.' }),
    nextCursor: z.string().nullable(),
  }),
  errors: ['request.malformed'],
  handle: async (request) => {
    const isOperator = hasPermission(request.access, 'operations.manage')
    const { removed, limit, cursor, ...filter } = request.query
    const after = decodeCursor(listCursor, cursor, (text): text is string => text.includes('/'))
    const { next, ...page } = await request.services.records.events.subscriptions(callerOf(request), {
      ...filter,
      isRemoved: removed === undefined ? undefined : removed === 'true',
      ...{
        isOperator,
        limit: Math.min(limit, maxPage),
        after: after === undefined ? undefined : placeFrom(after),
      },
    })
    return { ...page, nextCursor: next && encodeCursor(listCursor, `${next.name}/${next.owner}`) }
  },
})

/** Names have no slash. */
function placeFrom(text: string): { owner: string; name: string } {
  const slash = text.indexOf('/')
  return { name: text.slice(0, slash), owner: text.slice(slash + 1) }
}

export const deleteSubscription = defineRoute({
  method: 'delete',
  path: '/events/v3/subscriptions/{name}',
  name: 'deleteSubscription',
  summary: 'Delete a subscription; holders of operations.manage can delete that of another user',
  effect: 'writes',
  params,
  query: z.strictObject({ owner }),
  status: 204,
  errors: ['subscription.not_found', 'limit.busy'],
  handle: async (request) => {
    const { services, params: place, query, by } = request
    const of = placeOf(request, { ...place, ...query })
    await services.records.events.unsubscribe(callerOf(request), of, by)
    return emptyReply()
  },
})

export const deleteSubscriptions = defineRoute({
  method: 'post',
  path: '/events/v3/subscriptions/deletions',
  name: 'deleteSubscriptions',
  summary:
    'Delete the first of your subscriptions of a filter, for holders of operations.manage those of all users; or only count them',
  effect: 'writes',
  body: z.strictObject({
    filter: z.strictObject({
      ...filterMembers,
      removed: z.boolean().optional().meta({ description: removedText }),
    }),
    createdUpTo: instant.optional().meta({
      description: 'Subscriptions that were created after this instant stay. Now if omitted.',
    }),
    limit: z.int().min(1).max(maxPage).default(100).meta({
      description: 'Send the request again while any are left.',
    }),
    dryRun: z.boolean().default(false).meta({ description: 'Only counts.' }),
  }),
  reply: z
    .object({
      deleted: z.int(),
      left: z.int().meta({ description: 'Of the filter, after it.' }),
      createdUpTo: z.string().meta({ description: 'For the next request.' }),
    })
    .meta({ id: 'SubscriptionDeletion' }),
  errors: ['request.malformed', 'limit.busy'],
  handle: async (request) => {
    const { services, body, by, access } = request
    const { removed: isRemoved, ...filter } = body.filter
    const isOperator = hasPermission(access, 'operations.manage')
    const { createdUpTo = services.clock.now(), limit, dryRun } = body
    const wanted = { filter: { ...filter, isRemoved, isOperator }, createdUpTo, limit: dryRun ? 0 : limit }
    const done = await services.records.events.unsubscribeAll(callerOf(request), wanted, by)
    return { ...done, createdUpTo }
  },
})
