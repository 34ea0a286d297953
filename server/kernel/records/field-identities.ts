// Which field of an object continues which field of its previous version.
import type { ObjectField } from '../components/object/body.ts'
import type { FieldId, ObjectId } from './record-state.ts'

/** What decides which field continues which. */
export type FieldShape = Pick<ObjectField, 'key' | 'type' | 'aliases' | 'references' | 'precision' | 'scale'>

/** A field as it was in the previous version of its object. */
export interface EarlierField {
  key: string
  id: FieldId
  type: ObjectField['type']
  /** For a reference: the object that it refers to. */
  target: ObjectId | null
  /** For a number. */
  precision?: number | undefined
  scale?: number | undefined
}

/** The fields of one version of an object, as the next version continues them. */
export function earlierFields(
  fields: readonly FieldShape[],
  ids: ReadonlyMap<string, FieldId>,
  targetOf: (field: FieldShape) => ObjectId | null,
): EarlierField[] {
  return fields.map((field) => {
    const { key, type, precision, scale } = field
    return { key, id: ids.get(key)!, type, target: targetOf(field), precision, scale }
  })
}

/**
 * Returns the identity of each field by key. A field continues the one with its key, or the one whose key is now among
 * its former names. A field of a different type, that refers to a different object, or with fewer digits, is a new one:
 * the values would have no meaning, or not fit.
 *
 * @param restored the fields of the older version that a rollback or a revert brings back: a field that continues none has
 *   the identity that it had there, and with it the values that records still have
 */
export function nextFieldIds(
  before: readonly EarlierField[],
  after: readonly FieldShape[],
  targetOf: (field: FieldShape) => ObjectId | null,
  create: () => FieldId,
  restored: readonly EarlierField[] = [],
): Map<string, FieldId> {
  const earlierById = new Map(before.map((field) => [field.id, field]))
  const former = new Map(restored.map((field) => [field.key, field]))
  const taken = new Set<FieldId>()
  const earlier = new Map(before.map((field) => [field.key, field]))
  const keys = new Set(after.map(({ key }) => key))
  const ids = new Map<string, FieldId>()
  for (const field of after) {
    const from = predecessor(field, earlier, keys)
    if (from !== undefined && canHold(field, targetOf(field), from)) {
      ids.set(field.key, from.id)
      taken.add(from.id)
    }
  }
  for (const field of after) {
    if (ids.has(field.key)) continue
    const was = former.get(field.key)
    const isFree = was !== undefined && !taken.has(was.id) && canHold(field, targetOf(field), was)
    // It may have grown since, and its values with it.
    const now = was === undefined ? undefined : earlierById.get(was.id)
    const returns = isFree && (now === undefined || canHold(field, targetOf(field), now))
    const id = returns ? was.id : create()
    taken.add(id)
    ids.set(field.key, id)
  }
  return ids
}

/**
 * The field of the previous version whose place a field takes by its names.
 * @param earlier the fields of the previous version by key
 * @param keys of all fields now
 */
export function predecessor<T>(
  { key, aliases }: Pick<FieldShape, 'key' | 'aliases'>,
  earlier: ReadonlyMap<string, T>,
  keys: ReadonlySet<string>,
): T | undefined {
  return (
    earlier.get(key) ?? aliases.flatMap((alias) => (keys.has(alias) ? [] : (earlier.get(alias) ?? [])))[0]
  )
}

function canHold(
  { type, precision = 0, scale = 0 }: FieldShape,
  target: ObjectId | null,
  from: EarlierField,
): boolean {
  const { precision: fromPrecision = 0, scale: fromScale = 0 } = from
  const hasDigits = precision - scale >= fromPrecision - fromScale && scale >= fromScale
  return type === from.type && target === from.target && hasDigits
}
