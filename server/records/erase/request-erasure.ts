// An erasure as a user requests it: checked and audited first, so that none happens without a trace.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isErased } from '#kernel/records/index.ts'
import type { AuditFact } from '../../access/index.ts'
import type { RecordChange, RecordReader } from '../../ports/record-store.ts'
import { changesOf } from '../read/changes-of.ts'
import { visibleObject, type RecordCaller } from '../read/record-caller.ts'
import { visibleViews } from '../read/record-json.ts'
import { recordNotFound } from '../save/record-errors.ts'
import { isFindable } from './redact-text.ts'

export interface ErasureRequest {
  /** Key or alias. */
  object: string
  id: string
  /** Why, for the audit. */
  reason: string
}

export interface CheckedErasure {
  /** Key. */
  object: string
  /** The sensitive fields that the object has now. */
  fields: string[]
  fact: AuditFact
}

/** @throws AlmanacError `object.not_found`, `record.not_found`, `request.invalid` if the reason contains a value */
export async function checkErasure(
  caller: RecordCaller,
  reader: RecordReader,
  { object: name, id, reason }: ErasureRequest,
): Promise<CheckedErasure> {
  const { object, body } = visibleObject(caller, name)
  const objectId = caller.present.names.objectId(object)!
  const fields = body.fields.flatMap(({ key, sensitive }) => (sensitive ? [key] : []))
  const ids = caller.present.names.fieldIds(object)
  const sensitive = new Set(fields.map((key) => ids.get(key)!))
  let isKnown = false
  for await (const change of changesOf(reader, objectId, id)) {
    isKnown = true
    requireNoValue(reason, change, sensitive)
  }
  if (!isKnown || !(await isVisible(caller, reader, object, id))) throw recordNotFound(object, id)
  const fact = {
    ...{ component: `record/${object}/${id}`, kind: 'record.erased', rationale: reason },
    ...{ before: null, after: { fields } },
  }
  return { object, fields, fact }
}

/** A deleted record was visible, for all that is known, to those who see every record. */
async function isVisible(
  caller: RecordCaller,
  reader: RecordReader,
  object: string,
  id: string,
): Promise<boolean> {
  const stored = await reader.get(caller.present.names.objectId(object)!, [id])
  if (stored.length === 0) return caller.access.accessToAll(object) !== 'none'
  return (await visibleViews(caller, reader, object, stored)).size > 0
}

/** The audit is kept for years. */
function requireNoValue(reason: string, { fields }: RecordChange, sensitive: ReadonlySet<number>): void {
  const text = reason.toLowerCase()
  for (const { field, before, after } of fields)
    for (const value of sensitive.has(field) ? [before, after] : [])
      if (typeof value === 'string' && isFindable(value) && !isErased(value))
        if (text.includes(value.toLowerCase()))
          throw new AlmanacError(
            'request.invalid',
            'The reason contains a value that is to be erased, and the audit would keep it. Use a reason without personal data, such as the number of the request.',
          )
}
