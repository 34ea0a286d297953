// The payload of a change event.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { FieldId } from '#kernel/records/index.ts'
import type { RecordChange } from '../../ports/record-change.ts'

export interface ChangePayload {
  object: string
  id: string
  operation: RecordChange['operation']
  /** By field: the value after the change; of a deleted record, null. */
  changed: Record<string, FieldValue>
  prior: Record<string, FieldValue>
  user: string
}

/** A field as a consumer knows it. */
export interface CarriedField {
  /** Its key, and its aliases. */
  names: readonly string[]
  /** Otherwise its values are null. */
  isReadable: boolean
}

/** @param carried a field; one that is not carried is left out */
export function changePayload(
  object: string,
  { record: id, operation, fields, by: user }: RecordChange,
  carried: (field: FieldId) => CarriedField | undefined,
): ChangePayload {
  const [changed, prior]: [Record<string, FieldValue>, Record<string, FieldValue>] = [{}, {}]
  for (const { field, before, after } of fields) {
    const known = carried(field)
    if (known === undefined) continue
    for (const name of known.names) {
      changed[name] = known.isReadable ? after : null
      prior[name] = known.isReadable ? before : null
    }
  }
  return { object, id, operation, changed, prior, user }
}
