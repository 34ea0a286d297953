// Body of an object: local with its own rows, or virtual over a remote source.
import { z } from 'zod'
import {
  expression,
  key,
  objectFieldType,
  precision,
  scale,
  sortedUniqueList,
  nonEmptyText,
} from '../shapes.ts'

export const rollupOps = ['count', 'sum', 'min', 'max', 'avg'] as const

export const formula = z.strictObject({ expression, stored: z.boolean().default(false) })

export const rollup = z.strictObject({
  child: key,
  /** The reference field of the child that refers to this object. */
  via: key,
  op: z.enum(rollupOps),
  /** The field of the child; omitted for count. */
  of: key.optional(),
  filter: expression.optional(),
})

export const objectField = z.strictObject({
  key,
  type: objectFieldType,
  label: nonEmptyText.optional(),
  required: z.boolean().default(false),
  unique: z.boolean().default(false),
  precision: precision.optional(),
  scale: scale.optional(),
  valueSet: key.optional(),
  /** For a reference: the object that it refers to. */
  references: key.optional(),
  /** The value of a new record that is added without one. */
  default: expression.optional(),
  aliases: sortedUniqueList(key).default([]),
  formula: formula.optional(),
  rollup: rollup.optional(),
  sensitive: z.boolean().default(false),
  /** For a virtual object: the remote property. If omitted, the key of the field. */
  remoteField: nonEmptyText.optional(),
  /** For a virtual object: the type of the remote property, if it is not the usual one of the field's type. */
  remoteType: nonEmptyText.optional(),
  /** For a virtual object: the source sets the value. */
  readOnly: z.boolean().optional(),
})

export const validationRule = z.strictObject({
  key,
  /** The rule refuses the record if this is true. */
  when: expression,
  message: nonEmptyText,
  field: key.optional(),
})

export const sharingRule = z.strictObject({
  key,
  when: expression,
  permissionSet: key,
  access: z.enum(['read', 'read_write']),
})

export const sharing = z.strictObject({
  default: z.enum(['private', 'read', 'read_write']).default('private'),
  ownerField: key.optional(),
  rules: z.array(sharingRule).default([]),
})

export const capture = z.strictObject({
  enabled: z.boolean().default(false),
  fields: z.union([z.literal('all'), sortedUniqueList(key)]).default('all'),
})

const shared = {
  fields: z.array(objectField),
  nameField: key.optional(),
  aliases: sortedUniqueList(key).default([]),
}

export const localObjectBody = z.strictObject({
  storage: z.literal('local'),
  ...shared,
  validationRules: z.array(validationRule).default([]),
  sharing: sharing.prefault({}),
  capture: capture.prefault({}),
})

export const virtualObjectBody = z.strictObject({
  storage: z.literal('external'),
  ...shared,
  dataSource: key,
  remoteEntity: nonEmptyText,
  /** The remote property that identifies a row. */
  externalId: nonEmptyText,
  /** The remote property that contains the owner. If omitted, only the object permission decides. */
  ownerColumn: nonEmptyText.optional(),
  /** Whether rows can be added, changed and deleted; the source must have ETags. If omitted, they cannot. */
  writable: z.boolean().optional(),
})

export const objectBody = z.preprocess(
  withStorage,
  z.discriminatedUnion('storage', [localObjectBody, virtualObjectBody]),
)

/** Fills in `storage`, which a local object can omit. */
function withStorage(body: unknown): unknown {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  return isObject && !('storage' in body) ? { storage: 'local', ...body } : body
}

export type ObjectBody = z.output<typeof objectBody>
export type LocalObjectBody = z.output<typeof localObjectBody>
export type VirtualObjectBody = z.output<typeof virtualObjectBody>
export type ObjectField = z.output<typeof objectField>
