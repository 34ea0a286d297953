// An erasure as a user requests it: checked and audited first, so that none happens without a trace.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isErased, type FieldId, type ObjectId } from '#kernel/records/index.ts'
import type { AuditFact } from '../../access/index.ts'
import type { RecordChange, RecordReader } from '../../ports/record-store.ts'
import { changesOf } from '../read/changes-of.ts'
import { requireStored, visibleObject, type RecordCaller } from '../read/record-caller.ts'
import { visibleViews } from '../read/record-json.ts'
import { recordNotFound } from '../save/record-errors.ts'
import type { EraseDeps } from './erase-deps.ts'
import { isFindable } from './redact-text.ts'
import { lastSensitiveKeys, sensitiveFields, sensitiveKeys } from './sensitive-fields.ts'

export interface ErasureRequest {
  /** Key or alias; of an object that was removed from the org, a key that it had. */
  object: string
  id: string
  /** Why, for the audit. */
  reason: string
}

export interface CheckedErasure {
  object: ObjectId
  /** The sensitive fields that the object has now, or had at its removal. */
  fields: string[]
  fact: AuditFact
}

export type ErasureParts = Pick<EraseDeps, 'snapshots' | 'versionsOf' | 'keysOf'>

/** @throws AlmanacError `object.not_found`, `record.not_found`, `request.invalid` if the reason contains a value */
export async function checkErasure(
  parts: ErasureParts,
  caller: RecordCaller,
  reader: RecordReader,
  request: ErasureRequest,
): Promise<CheckedErasure> {
  const { id, reason } = request
  const { object, key, fields } = await foundRecord(parts, caller, reader, request)
  const stored = new Set<FieldId>()
  for await (const change of changesOf(reader, object, id))
    for (const { field } of change.fields) stored.add(field)
  const sensitive = sensitiveFields(parts, caller.present, object, stored)
  for await (const change of changesOf(reader, object, id)) requireNoValue(reason, change, sensitive)
  const fact = {
    ...{ component: `record/${key}/${id}`, kind: 'record.erased', rationale: reason },
    ...{ before: null, after: { fields } },
  }
  return { object, fields, fact }
}

interface FoundRecord extends Pick<CheckedErasure, 'object' | 'fields'> {
  key: string
}

/** @throws AlmanacError `object.not_found`, `record.not_found` */
async function foundRecord(
  parts: ErasureParts,
  caller: RecordCaller,
  reader: RecordReader,
  request: ErasureRequest,
): Promise<FoundRecord> {
  try {
    return await visibleRecord(caller, reader, request)
  } catch (error) {
    if (!(error instanceof AlmanacError) || error.kind.class !== 'not_found') throw error
    const object = await removedObject(parts, caller, reader, request)
    if (object === undefined) throw error
    return { object, key: request.object, fields: lastSensitiveKeys(parts, object) }
  }
}

/** @throws AlmanacError `object.not_found`, `record.not_found` */
async function visibleRecord(
  caller: RecordCaller,
  reader: RecordReader,
  { object: name, id }: ErasureRequest,
): Promise<FoundRecord> {
  const programs = requireStored(visibleObject(caller, name))
  const key = programs.object
  const object = caller.present.names.objectId(key)!
  if (!(await isKnown(reader, object, id)) || !(await isVisible(caller, reader, key, id)))
    throw recordNotFound(key, id)
  return { object, key, fields: sensitiveKeys(programs) }
}

/**
 * The removed object to which a record belonged. Nobody has rights on its records any more, so the permission for erasures
 * is sufficient.
 */
async function removedObject(
  { keysOf }: ErasureParts,
  { present }: RecordCaller,
  reader: RecordReader,
  { object: name, id }: ErasureRequest,
): Promise<ObjectId | undefined> {
  for (const object of await reader.objects()) {
    if (present.names.objectKey(object) !== undefined || !keysOf(object).includes(name)) continue
    if (await isKnown(reader, object, id)) return object
  }
  return undefined
}

async function isKnown(reader: RecordReader, object: ObjectId, id: string): Promise<boolean> {
  const { changes } = await reader.history(object, id, { limit: 1 })
  return changes.length > 0
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
function requireNoValue(
  reason: string,
  { fields }: RecordChange,
  sensitive: ReadonlyMap<number, unknown>,
): void {
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
