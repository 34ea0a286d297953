// Adds, changes and deletes one row of a virtual object as the caller. Each change is a single request to the source, never a
// part of a save: nothing here could be undone with it.
import type { FieldValue } from '#kernel/components/field-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RecordJson } from '#wire/records.ts'
import {
  deleteRecord,
  insertRecord,
  readRecord,
  updateRecord,
  type RemoteRow,
  type VirtualObject,
} from '../../virtual/index.ts'
import { fullProjection } from '../read/projection.ts'
import { visibleObject, type RecordCaller } from '../read/record-caller.ts'
import { RemoteReferences } from '../read/remote-references.ts'
import { accessDenied, invalidRecord, recordNotFound } from '../save/record-errors.ts'
import type { QueryParts } from './query-rows.ts'
import {
  openObject,
  openVersion,
  ownerOf,
  rowDeadlineMs,
  rowRequest,
  type OpenedObject,
  type RemoteCaller,
} from './remote-object.ts'
import { requireValues, valuesOf, type SentValues } from './row-values.ts'
import { rowsJson } from './rows-json.ts'

export interface RowChange {
  /** Key or alias. */
  object: string
  id: string
  /** That the row must have; undefined for any. */
  version: string | undefined
}

/** @throws AlmanacError `access.denied`, `record.invalid`, `virtual.not_writable`, `conflict.exists`, and those of the source */
export async function insertRow(
  parts: QueryParts,
  from: RemoteCaller,
  { object: name, fields }: { object: string; fields: SentValues },
): Promise<RecordJson> {
  const { caller } = from
  const opened = openWritable(parts, from, name)
  const { object, programs, source } = opened
  if (!caller.access.may(object.key, 'create')) throw accessDenied(caller.access.user, 'create', object.key)
  const values = valuesOf(caller, programs, fields)
  requireValues(programs, (field) => values.get(field.key) ?? null)
  const owner = ownerOf(caller, object, 'change')
  if (owner !== null) requireOwner(opened, values, owner)
  const request = rowRequest({ object, owner }, caller, parts.sources.deadline(rowDeadlineMs))
  return rowJson(parts, caller, opened, await insertRecord(source, request, values))
}

/** The owner is set by Almanac; a different one is not replaced silently. @throws AlmanacError `record.invalid` */
function requireOwner(
  { object }: OpenedObject,
  values: ReadonlyMap<string, FieldValue>,
  owner: string,
): void {
  const field = [...object.fields.values()].find(({ remote }) => remote === object.body.ownerColumn)
  const sent = field === undefined ? null : (values.get(field.key) ?? null)
  if (sent === null || sent === owner) return
  const title = field!.field.label ?? field!.key
  const message = `${title} is the owner of the row. You can add rows of your own: leave it out, or enter ${owner}.`
  throw invalidRecord(object.key, [], [{ field: field!.key, code: 'access.denied', message }])
}

/** @throws AlmanacError as `insertRow`, and `record.not_found`, `conflict.stale_version`, `conflict.source` */
export async function updateRow(
  parts: QueryParts,
  from: RemoteCaller,
  { fields, ...change }: RowChange & { fields: SentValues },
): Promise<RecordJson> {
  const { caller } = from
  const opened = openWritable(parts, from, change.object)
  const { object, programs, source } = opened
  const signal = parts.sources.deadline(rowDeadlineMs)
  const version = await versionToChange(parts, opened, from, { ...change, right: 'update', signal })
  const values = withoutId(object, change.id, valuesOf(caller, programs, fields))
  requireValues(programs, (field) => (values.has(field.key) ? values.get(field.key)! : 'kept'))
  const request = rowRequest({ object, owner: null }, caller, signal)
  return rowJson(
    parts,
    caller,
    opened,
    await updateRecord(source, request, { id: change.id, version, values }),
  )
}

/** A key cannot be changed in OData; some sources ignore it, others add or move a row. @throws AlmanacError `record.invalid` */
function withoutId(
  { key: object, body, fields, keyType }: VirtualObject,
  id: string,
  values: ReadonlyMap<string, FieldValue>,
): ReadonlyMap<string, FieldValue> {
  const kept = new Map(values)
  const written = (value: FieldValue): string =>
    keyType.remoteType === 'Edm.Guid' ? String(value).toLowerCase() : String(value)
  for (const { key, field, remote } of fields.values()) {
    if (remote !== body.externalId || !values.has(key)) continue
    if (written(values.get(key)!) !== written(id)) {
      const message = `${field.label ?? key} identifies the row and cannot be changed. Remove it, or add a new row.`
      throw invalidRecord(object, [], [{ field: key, code: 'record.value', message }])
    }
    kept.delete(key)
  }
  return kept
}

/** @throws AlmanacError as `updateRow` */
export async function deleteRow(parts: QueryParts, from: RemoteCaller, change: RowChange): Promise<void> {
  const { caller } = from
  const opened = openWritable(parts, from, change.object)
  const { object, source } = opened
  const signal = parts.sources.deadline(rowDeadlineMs)
  const version = await versionToChange(parts, opened, from, { ...change, right: 'delete', signal })
  const request = rowRequest({ object, owner: null }, caller, signal)
  await deleteRecord(source, request, { id: change.id, version })
}

/** @throws AlmanacError `object.not_found`, `virtual.not_writable` */
function openWritable({ sources }: QueryParts, from: RemoteCaller, name: string): OpenedObject {
  const opened = openObject(sources, from, visibleObject(from.caller, name))
  const { key, body } = opened.object
  if (body.writable === true) return opened
  throw new AlmanacError(
    'virtual.not_writable',
    `${key} is virtual and cannot be written. Set "writable" of object/${key} if its source has ETags.`,
  )
}

interface Wanted extends RowChange {
  right: 'update' | 'delete'
  signal: AbortSignal
}

/**
 * The ETag that the row must have. The row is read before, if only that shows whether the caller can change it; the ETag then
 * keeps it the row that was checked.
 * @throws AlmanacError `record.not_found`, `access.denied`, `conflict.stale_version`, `integration.no_version`
 */
async function versionToChange(
  { stable }: QueryParts,
  opened: OpenedObject,
  { caller }: RemoteCaller,
  wanted: Wanted,
): Promise<string> {
  const { object } = opened
  const { id, right, version } = wanted
  const { access } = caller
  if (!access.may(object.key, 'read')) throw recordNotFound(object.key, id)
  const sent = version === undefined ? undefined : openVersion(stable, object.key, id, version)
  const isKnown = access.may(object.key, right) && object.body.ownerColumn === undefined
  if (isKnown && typeof sent === 'string') return sent
  const row = await changeable(opened, caller, wanted)
  const etag = row.version
  if (etag === null) throw noVersion(object.key)
  if (sent === undefined || sent === etag) return etag
  throw new AlmanacError(
    'conflict.stale_version',
    `The row ${id} of ${object.key} has changed in the source since it was read. Read it again and repeat the change.`,
  )
}

const noVersion = (object: string): AlmanacError =>
  new AlmanacError(
    'integration.no_version',
    `The source of ${object} returned the row without an ETag, so it cannot be changed safely. Enable ETags in the service, or set "writable" of object/${object} to false.`,
  )

/**
 * The row as the caller can see it now, which is not found if they cannot see it.
 * @throws AlmanacError `record.not_found`, `access.denied`
 */
async function changeable(
  opened: OpenedObject,
  caller: RecordCaller,
  { id, right, signal }: Wanted,
): Promise<RemoteRow> {
  const { access } = caller
  const { object, source, owner } = opened
  const row = await readRecord(source, rowRequest({ object, owner }, caller, signal), id)
  if (!access.may(object.key, right)) throw accessDenied(access.user, right, object.key)
  const changer = ownerOf(caller, object, 'change')
  if (changer !== owner) await requireOwn(opened, caller, { id, right, signal, changer })
  return row
}

/** A caller who reads every row changes only their own. */
async function requireOwn(
  { object, source }: OpenedObject,
  caller: RecordCaller,
  { id, right, signal, changer }: Pick<Wanted, 'id' | 'right' | 'signal'> & { changer: string | null },
): Promise<void> {
  try {
    await readRecord(source, rowRequest({ object, owner: changer }, caller, signal), id)
  } catch (error) {
    if (error instanceof AlmanacError && error.code === 'record.not_found')
      throw accessDenied(caller.access.user, right, `${object.key}/${id}`)
    throw error
  }
}

async function rowJson(
  parts: QueryParts,
  caller: RecordCaller,
  opened: OpenedObject,
  row: RemoteRow,
): Promise<RecordJson> {
  const projection = fullProjection(opened.programs)
  const [json] = await rowsJson(parts, caller, opened, {
    rows: [row],
    projection,
    remote: new RemoteReferences(),
  })
  return json!
}
