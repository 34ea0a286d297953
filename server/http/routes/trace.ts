// The execution trace: what happened after saves and in calls, by correlation id.
import { z } from 'zod'
import { traceKindNames, traceKinds, type TraceKind } from '#kernel/trace/index.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { defineRoute } from '../route.ts'
import { instant, pageQuery } from '../schemas/common.ts'

const envelope = {
  id: z.string(),
  at: z.string().meta({ description: 'When it began.' }),
  correlationId: z.string().nullable(),
  subject: z
    .string()
    .nullable()
    .meta({ description: 'The component that it concerns: named_credential/bank.' }),
  record: z.string().nullable().meta({ description: '<object>/<id>' }),
  actor: z.string().nullable(),
  isFailed: z.boolean(),
  durationMs: z.number().nullable().meta({ description: 'Null for a moment.' }),
}

const eventOf = <K extends TraceKind>(kind: K) =>
  z.object({ ...envelope, kind: z.literal(kind), facts: traceKinds[kind] })

const [first, ...others] = traceKindNames.map(eventOf)
const event = z.discriminatedUnion('kind', [first!, ...others]).meta({ id: 'TraceEvent' })

/** Names the list in its cursors. */
const traceCursor = 'trace'

export const listTrace = defineRoute({
  method: 'get',
  path: '/setup/v3/trace',
  name: 'listTrace',
  summary: 'List events of the execution trace of the last 90 days, newest first',
  effect: 'reads',
  permission: 'operations.manage',
  query: z.strictObject({
    correlationId: z.string().max(200).optional(),
    kind: z.enum(traceKindNames).optional(),
    subject: z
      .string()
      .max(300)
      .optional()
      .meta({ description: 'Id of a component: named_credential/bank, integration_client/shop.' }),
    record: z.string().max(300).optional().meta({ description: '<object>/<id>' }),
    failed: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'Only events that failed, or did not.' }),
    since: instant.optional().meta({ description: 'Only events that began at this instant or later.' }),
    until: instant.optional().meta({ description: 'Only events that began before this instant.' }),
    ...pageQuery,
  }),
  reply: z.object({ events: z.array(event), nextCursor: z.string().nullable() }),
  errors: ['request.malformed'],
  handle: async ({ services, query }) => {
    const { limit, cursor, kind, failed, ...filter } = query
    const place = decodeCursor(traceCursor, cursor, (text): text is string => /^[^ ]+ [^ ]+$/.test(text))
    const [at, id] = place?.split(' ') ?? []
    const { events, next } = await services.tracing.trace.list(
      {
        ...filter,
        kinds: kind === undefined ? undefined : [kind],
        isFailed: failed === undefined ? undefined : failed === 'true',
      },
      { limit, before: at === undefined ? undefined : { at, id: id! } },
    )
    return { events, nextCursor: next === null ? null : encodeCursor(traceCursor, `${next.at} ${next.id}`) }
  },
})
