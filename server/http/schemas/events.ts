// Shapes of events and cursors.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { EventStart } from '../../records/index.ts'
import { storedInstant } from './common.ts'

/** Of a cursor: 64 partitions, each with its number and its mark. */
export const longestCursor = 1750

export const cursorText = z.string().min(1).max(longestCursor).meta({
  description: 'How far a consumer is in each partition: the cursor of an event or a page, opaque.',
})

export const partition = z
  .string()
  .regex(/^\d{1,2}$/, { error: 'Use the number of a partition, from 0.' })
  .transform(Number)
  .meta({ description: 'The only partition that is read; all if omitted.' })

/** A number of an event, as text: it can be larger than what JSON numbers keep. */
const sequence = /^[1-9]\d{0,14}$/

/** Where a stream begins. @param partition of the request */
function startOf(from: string, partition: number | undefined): EventStart | 'needs_partition' {
  if (from === 'latest' || from === 'earliest') return { kind: from }
  const instant = storedInstant(from)
  if (instant !== null) return { kind: 'time', at: instant }
  if (!sequence.test(from)) return { kind: 'cursor', cursor: from }
  return partition === undefined ? 'needs_partition' : { kind: 'sequence', sequence: Number(from) }
}

export const fromText = z.string().min(1).max(longestCursor).meta({
  description:
    '"latest", "earliest", a cursor, an instant (ISO 8601), or the number of the first event, which needs a partition.',
})

/** Of a request in which a number needs a partition. @throws AlmanacError `request.malformed` */
export function startIn(from: string, only: number | undefined): EventStart {
  const start = startOf(from, only)
  if (start === 'needs_partition') throw needsPartition('from', from)
  return start
}

export const needsPartition = (name: string, value: string): AlmanacError =>
  new AlmanacError(
    'request.malformed',
    `${name}: ${value} is the number of an event, which belongs to a partition. Add "partition", or use a cursor.`,
  )

export const eventJson = z
  .object({
    eventId: z.string(),
    sequence: z.string().meta({ description: 'Grows by one within its partition.' }),
    commitTs: z.string(),
    partition: z.int(),
    correlationId: z.string(),
    generation: z.int(),
    payload: z.record(z.string(), z.unknown()).meta({
      description:
        'Of a change: { object, id, operation, changed, prior, user }, with fields that you cannot read as null.',
    }),
  })
  .meta({ id: 'Event' })

export const pageEvent = z
  .object({ ...eventJson.shape, cursor: cursorText.meta({ description: 'After this event.' }) })
  .meta({ id: 'PageEvent' })

export const eventGap = z
  .object({
    reason: z.enum(['retention', 'ahead', 'partitions', 'restored']).meta({
      description:
        '"retention": older events were removed; "ahead": nothing has this number yet; "partitions": the channel has others now; "restored": the log was replaced by an older copy.',
    }),
    partitions: z.array(z.object({ partition: z.int(), asked: z.string(), resumesAfter: z.string() })),
  })
  .meta({ id: 'EventGap' })
