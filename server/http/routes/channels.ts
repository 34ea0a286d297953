// Channels of events: which there are, and what is published to them.
import { z } from 'zod'
import { objectFieldType } from '#kernel/components/shapes.ts'
import { mebibyte } from '../budget.ts'
import { idempotencyOf } from '../idempotency-key.ts'
import { defineRoute } from '../route.ts'
import { callerOf } from '../views/record-caller.ts'

export const channelName = z.string().min(1).max(400).meta({
  description: 'The key of a channel, or changes.<object> for an object without one.',
})

const channel = z
  .object({
    name: z.string(),
    label: z.string(),
    kind: z.enum(['platform', 'changes']),
    object: z.string().nullable().meta({ description: 'The object whose changes it carries.' }),
    partitions: z.int(),
    retentionDays: z.int(),
    mayRead: z.boolean(),
    mayPublish: z.boolean(),
  })
  .meta({ id: 'EventChannel' })

export const listChannels = defineRoute({
  method: 'get',
  path: '/events/v3/channels',
  name: 'listChannels',
  summary: 'List the channels that you can read or publish to',
  effect: 'reads',
  reply: z.object({ channels: z.array(channel) }),
  errors: [],
  handle: (request) => ({ channels: request.services.records.events.channels(callerOf(request)) }),
})

const field = z
  .object({
    key: z.string(),
    aliases: z.array(z.string()).meta({ description: 'Other names under which a change has its value.' }),
    isReadable: z
      .boolean()
      .meta({ description: 'If not, events have it as null, and only its key is shown.' }),
    label: z.string().nullable(),
    type: objectFieldType.nullable(),
    required: z.boolean(),
    precision: z.int().nullable(),
    scale: z.int().nullable(),
    values: z.array(z.string()).nullable().meta({ description: 'Active values of its value set.' }),
    labels: z.record(z.string(), z.string()).nullable(),
    references: z.string().nullable(),
  })
  .meta({ id: 'ChannelField' })

const log = z
  .object({
    epoch: z.int(),
    partitions: z.array(
      z.object({
        partition: z.int(),
        first: z.string().meta({
          description: 'The number of the oldest event that is kept; one more than "last" if none is.',
        }),
        last: z.string(),
        firstAt: z.string().nullable().meta({ description: 'When the oldest one was committed.' }),
      }),
    ),
    epochs: z
      .array(z.object({ epoch: z.int(), reason: z.enum(['partitions', 'restored']), at: z.string() }))
      .meta({ description: 'When an epoch began, and why; without the first one.' }),
  })
  .meta({ id: 'ChannelLog' })

export const getChannel = defineRoute({
  method: 'get',
  path: '/events/v3/channels/{channel}',
  name: 'getChannel',
  summary: 'Get a channel: the fields of its events, and how far its log reaches',
  effect: 'reads',
  params: z.strictObject({ channel: channelName }),
  reply: z
    .object({
      ...channel.shape,
      maxBytes: z.int(),
      fields: z.array(field),
      log: log.nullable().meta({ description: 'Null if you can only publish.' }),
    })
    .meta({ id: 'ChannelDescription' }),
  errors: ['channel.not_found'],
  handle: (request) => request.services.records.events.channel(callerOf(request), request.params.channel),
})

const payload = z.record(z.string().max(200), z.unknown()).meta({
  description: 'A value for each field of the schema of the channel; an omitted one is null.',
})

/** Events of one request. */
const mostEvents = 200

export const publishEvents = defineRoute({
  method: 'post',
  path: '/events/v3/channels/{channel}/publish',
  name: 'publishEvents',
  summary: 'Publish a platform event, or up to 200 together: all of them, or none',
  effect: 'writes',
  params: z.strictObject({ channel: channelName }),
  body: z.union([
    z.strictObject({ payload }),
    z.strictObject({ events: z.array(z.strictObject({ payload })).min(1).max(mostEvents) }),
  ]),
  budget: { bytes: 2 * mebibyte, elements: 20_000 },
  requestHeaders: ['Idempotency-Key'],
  status: 202,
  reply: z.union([
    z.object({ eventId: z.string() }),
    z.object({ eventIds: z.array(z.string()).meta({ description: 'In the order of the request.' }) }),
  ]),
  errors: [
    ...(['channel.not_found', 'request.invalid', 'event.invalid', 'limit.event_too_large'] as const),
    ...(['conflict.idempotency_key', 'record.erased', 'limit.busy'] as const),
  ],
  handle: async (request) => {
    const { services, snapshot, by, identity, scopePath, params, body } = request
    const payloads = 'payload' in body ? [body.payload] : body.events.map((each) => each.payload)
    const { ids } = await services.records.events.publish({
      ...{ publish: params.channel, payloads },
      ...{ generation: snapshot.generation, user: by.actor, correlationId: by.correlationId, scopePath },
      ...{ client: identity.client, idempotency: idempotencyOf(request) },
    })
    return 'payload' in body ? { eventId: ids[0]! } : { eventIds: ids }
  },
})
