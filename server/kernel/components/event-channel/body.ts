// Body of an event channel: a partitioned log of platform events or of the changes to an object.
import { z } from 'zod'
import {
  key,
  objectFieldType,
  precision,
  scale,
  sortedUniqueList,
  integerBetween,
  nonEmptyText,
  publishGrants,
  readGrants,
} from '../shapes.ts'

/** A field of a platform event. */
export const eventField = z.strictObject({
  key,
  type: objectFieldType,
  label: nonEmptyText.optional(),
  required: z.boolean().default(false),
  precision: precision.optional(),
  scale: scale.optional(),
  valueSet: key.optional(),
  references: key.optional(),
})

export const eventChannelBody = z.strictObject({
  /** A field of the schema; change events are partitioned by the id of the record. */
  partitionKey: key.optional(),
  partitions: integerBetween(1, 64).default(4),
  retentionDays: integerBetween(1, 30).default(7),
  maxBytes: integerBetween(1024, 67_108_864).default(1_048_576),
  /** Platform events. */
  schema: z.array(eventField).optional(),
  /** Change events. */
  object: key.optional(),
  fields: z.union([z.literal('all'), sortedUniqueList(key)]).optional(),
  /** Who receives its events; of change events, only those of records that they can read. */
  read: readGrants,
  publish: publishGrants,
})

export type EventChannelBody = z.output<typeof eventChannelBody>
