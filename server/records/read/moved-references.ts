// References that lead to a different record once they are computed.
import { isComputed } from '#kernel/components/object/is-computed.ts'
import {
  objectPrograms,
  type FieldId,
  type ObjectId,
  type RecordSnapshot,
  type RecordState,
} from '#kernel/records/index.ts'
import type { RecordReader } from '../../ports/record-store.ts'

/** Whether a computed reference of a record leads to a different one than before. */
export function isReferenceMoved(
  snapshot: RecordSnapshot,
  { object, values }: RecordState,
  after: RecordState,
): boolean {
  if (after.values === values) return false
  return computedReferences(snapshot, object).some(
    (id) => (values.get(id) ?? null) !== (after.values.get(id) ?? null),
  )
}

const known = new WeakMap<RecordSnapshot, Map<ObjectId, readonly FieldId[]>>()

function computedReferences(snapshot: RecordSnapshot, object: ObjectId): readonly FieldId[] {
  let byObject = known.get(snapshot)
  if (byObject === undefined) known.set(snapshot, (byObject = new Map()))
  let found = byObject.get(object)
  if (found === undefined) byObject.set(object, (found = findReferences(snapshot, object)))
  return found
}

function findReferences({ names, view }: RecordSnapshot, object: ObjectId): FieldId[] {
  const key = names.objectKey(object)
  const fields = key === undefined ? [] : (objectPrograms(view, key)?.body.fields ?? [])
  return fields.flatMap((field) =>
    field.type === 'reference' && isComputed(field) ? (names.fieldIds(key!).get(field.key) ?? []) : [],
  )
}

/** A reader of records whose values are these, if they are among them. */
export function readerWith(
  reader: RecordReader,
  states: ReadonlyMap<string, RecordState>,
): Pick<RecordReader, 'get'> {
  return {
    get: async (object, ids) =>
      (await reader.get(object, ids)).map((record) => {
        const state = states.get(record.id)
        return state === undefined ? record : { ...record, values: state.values }
      }),
  }
}
