// The outbox: calls that wait, and dead ones, which operators send again, resolve or discard.
import { z } from 'zod'
import type { OutboxState } from '../../ports/outbox.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { emptyReply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import { instant, pageQuery } from '../schemas/common.ts'
import { discardBody } from '../schemas/dead-items.ts'
import { outboxProblem as problem } from '../schemas/outbox.ts'
import { callerOf } from '../views/record-caller.ts'

const permission = 'operations.manage'

const state = z.enum(['pending', 'sending', 'dead', 'resolved', 'discarded'])

const row = z
  .object({
    id: z
      .string()
      .meta({ description: 'Also the Idempotency-Key of the call, unless its action declares one.' }),
    ...{ state, credential: z.string(), correlationId: z.string() },
    ...{ method: z.string().nullable(), path: z.string().nullable(), operation: z.string().nullable() },
    ...{ automation: z.string(), action: z.string() },
    record: z.string().nullable().meta({ description: '<object>/<id>; null for a call of an operation.' }),
    waits: z
      .boolean()
      .meta({ description: 'Whether the automation goes on with the result once the call is delivered.' }),
    ...{ actor: z.string(), generation: z.int(), createdAt: z.string() },
    attempts: z.array(
      z.object({
        ...{ n: z.int(), at: z.string(), endpoint: z.string() },
        ...{ status: z.int().nullable(), latencyMs: z.number().nullable(), error: problem.nullable() },
      }),
    ),
    priorAttempts: z
      .int()
      .meta({ description: 'How many of the attempts were made before the row was last requeued.' }),
    nextAttemptAt: z.string().nullable(),
    problem: problem.nullable().meta({ description: 'Why it is dead, or waits longer than its schedule.' }),
    resolution: z.object({ at: z.string(), by: z.string(), reason: z.string() }).nullable(),
  })
  .meta({ id: 'OutboxRow' })

const callValue = z
  .object({
    in: z.enum(['path', 'query', 'body', 'argument', 'key']),
    name: z.string().meta({
      description: 'Of the parameter, or of the member of the body; empty for the idempotency key.',
    }),
    state: z.enum(['shown', 'sensitive', 'hidden']).meta({
      description:
        '"sensitive": read from the record at each attempt, and not stored; "hidden": it comes from values that the user cannot see.',
    }),
    value: z.unknown().meta({ description: 'Null unless it is shown.' }),
    expression: z.string().nullable().meta({ description: 'Null if the value is hidden.' }),
  })
  .meta({ id: 'CallValue' })

export const listOutbox = defineRoute({
  method: 'get',
  path: '/setup/v3/outbox',
  name: 'listOutbox',
  summary: 'List calls that wait to be sent, and those that failed, newest first',
  effect: 'reads',
  permission,
  query: z.strictObject({
    state: z
      .enum([...state.options, 'open'])
      .optional()
      .meta({ description: '"open": pending or sending.' }),
    failed: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'Only calls of which an attempt has failed, or none.' }),
    credential: z.string().max(200).optional(),
    record: z.string().max(300).optional().meta({ description: '<object>/<id>' }),
    correlationId: z.string().max(200).optional(),
    since: instant.optional().meta({ description: 'Only calls that were left at this instant or later.' }),
    until: instant.optional().meta({ description: 'Only calls that were left before this instant.' }),
    ...pageQuery,
  }),
  reply: z.object({
    rows: z.array(row),
    counts: z
      .object({
        ...{ pending: z.int(), sending: z.int(), dead: z.int(), resolved: z.int(), discarded: z.int() },
      })
      .meta({ description: 'Of the filter, for each state.' }),
    nextCursor: z.string().nullable(),
  }),
  errors: ['request.malformed'],
  handle: async ({ services, query }) => {
    const { state: wanted, failed, limit, cursor, ...others } = query
    const filter = { ...others, hasFailed: failed === undefined ? undefined : failed === 'true' }
    const before = decodeCursor(outboxCursor, cursor, (text): text is string =>
      /^[1-9][0-9]{0,14}$/.test(text),
    )
    const page = { limit: Math.min(limit, 200), before: before === undefined ? undefined : Number(before) }
    const found = await services.outbox.list({ ...filter, states: wanted && statesOf[wanted] }, page)
    return {
      rows: found.rows,
      counts: found.counts,
      nextCursor: found.next === null ? null : encodeCursor(outboxCursor, String(found.next)),
    }
  },
})

const statesOf: Record<'open' | z.output<typeof state>, OutboxState[]> = {
  ...{ pending: ['pending'], sending: ['sending'], open: ['pending', 'sending'] },
  ...{ dead: ['dead'], resolved: ['resolved'], discarded: ['discarded'] },
}

/** Names the list in its cursors. */
const outboxCursor = 'outbox'

const params = z.strictObject({ id: z.string().min(1).max(80) })

export const getOutboxRow = defineRoute({
  method: 'get',
  path: '/setup/v3/outbox/{id}',
  name: 'getOutboxRow',
  summary: 'Show a call with its attempts, and what it sends',
  effect: 'reads',
  permission,
  params,
  reply: row
    .extend({
      content: z.array(callValue).meta({
        description: 'What it sends: the values that come from fields which the user can read.',
      }),
    })
    .meta({ id: 'OutboxCall' }),
  errors: ['outbox.not_found'],
  handle: async (request) => {
    const { services, params } = request
    const { row: found, effect } = await services.outbox.get(params.id)
    return { ...found, content: await services.records.callContent(callerOf(request), effect) }
  },
})

export const requeueOutboxRow = defineRoute({
  method: 'post',
  path: '/setup/v3/outbox/{id}/requeue',
  name: 'requeueOutboxRow',
  summary: 'Send a dead call again, with the same idempotency key',
  effect: 'writes',
  permission,
  params,
  body: z
    .strictObject({
      acceptRepeat: z.boolean().default(false).meta({
        description:
          'Whether to send a call again that the target may have carried out, without a declared key.',
      }),
    })
    .prefault({}),
  status: 204,
  errors: ['outbox.not_found', 'conflict.outbox_state', 'outbox.not_repeatable'],
  handle: async ({ services, by, params: { id }, body }) => {
    await services.outbox.requeue(by, id, body.acceptRepeat)
    services.outboxWorker?.wake()
    return emptyReply({ status: 204 })
  },
})

export const resolveOutboxRow = defineRoute({
  method: 'post',
  path: '/setup/v3/outbox/{id}/resolve',
  name: 'resolveOutboxRow',
  summary: 'Close a dead call that was dealt with',
  effect: 'writes',
  permission,
  params,
  body: z.strictObject({ reason: z.string().trim().max(1000).default('') }).prefault({}),
  status: 204,
  errors: ['outbox.not_found', 'conflict.outbox_state'],
  handle: async ({ services, by, params: { id }, body }) => {
    await services.outbox.close(by, id, 'resolved', body.reason)
    return emptyReply({ status: 204 })
  },
})

export const discardOutboxRow = defineRoute({
  method: 'post',
  path: '/setup/v3/outbox/{id}/discard',
  name: 'discardOutboxRow',
  summary: 'Close a dead call that is not sent, with a reason for the audit',
  effect: 'writes',
  permission,
  params,
  body: discardBody,
  status: 204,
  errors: ['outbox.not_found', 'conflict.outbox_state'],
  handle: async ({ services, by, params: { id }, body }) => {
    await services.outbox.close(by, id, 'discarded', body.reason)
    return emptyReply({ status: 204 })
  },
})
