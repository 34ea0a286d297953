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

/** @param keyOf a field as the consumer knows it; one without a key is left out */
export function changePayload(
  object: string,
  { record: id, operation, fields, by: user }: RecordChange,
  keyOf: (field: FieldId) => string | undefined,
): ChangePayload {
  const [changed, prior]: [Record<string, FieldValue>, Record<string, FieldValue>] = [{}, {}]
  for (const { field, before, after } of fields) {
    const key = keyOf(field)
    if (key === undefined) continue
    changed[key] = after
    prior[key] = before
  }
  return { object, id, operation, changed, prior, user }
}
