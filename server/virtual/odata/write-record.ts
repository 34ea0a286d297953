// Adds, changes and deletes one row of a virtual object. Its version is the ETag of the source: a change names the version
// that it replaces, so no change of another client is lost.
import type { FieldValue } from '#kernel/components/field-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RemoteResponse } from '../remote-call.ts'
import type { RemoteRow } from '../remote-row.ts'
import { timedOut, untilDeadline } from '../until-aborted.ts'
import type { VirtualObject } from '../virtual-object.ts'
import { addressOfLink } from './next-link.ts'
import { nameOf, readHeaders, send, writeHeaders, type ODataSource } from './odata-source.ts'
import { selectQuery } from './query-text.ts'
import { isGone, notFound, pathOf, readRecord, rowOf, type RowRequest } from './read-record.ts'
import { setProperty, writeBody } from './write-body.ts'

/**
 * @param values stored forms by field key
 * @throws AlmanacError `virtual.not_writable`, `conflict.exists`, `conflict.source`
 */
export async function insertRecord(
  source: ODataSource,
  request: RowRequest,
  values: ReadonlyMap<string, FieldValue>,
): Promise<RemoteRow> {
  const { object, owner, signal } = request
  requireWritable(object)
  const body = writeBody(object, values)
  const { ownerColumn, remoteEntity } = object.body
  // The new row belongs to its author, who could not see it otherwise.
  if (ownerColumn !== undefined && owner !== null) setProperty(body, ownerColumn.split('/'), owner)
  const response = await untilDeadline(
    send(
      source,
      object,
      {
        method: 'POST',
        path: `/${encodeURIComponent(remoteEntity)}`,
        query: selectQuery(object),
        headers: { ...writeHeaders, prefer: 'return=representation' },
        body: JSON.stringify(body),
      },
      { signal, refused: (status, error) => (status === 409 ? as('conflict.exists', error) : undefined) },
    ),
    signal,
    () =>
      new AlmanacError(
        'integration.outcome_unknown',
        `${nameOf(object)} did not respond in time, so the row may have been added. Look for it in the list before you add it again.`,
      ),
  )
  try {
    if (response.text.trim() !== '') return writtenRow(response, request)
    return await readRecord(source, request, newId(source, object, values, response))
  } catch (cause) {
    throw cause instanceof AlmanacError ? notShown(object, cause) : cause
  }
}

/** The row was added, even if it cannot be read afterwards. */
const notShown = (object: VirtualObject, cause: AlmanacError): AlmanacError =>
  new AlmanacError(
    'integration.unreadable',
    `A row was added to ${nameOf(object)}, but it cannot be shown. Find it in the list, and do not add it again. ${cause.message}`,
    { cause },
  )

/**
 * @param version the ETag that the row must have
 * @throws AlmanacError `conflict.stale_version`, `record.not_found`, `conflict.source`, `virtual.not_writable`
 */
export async function updateRecord(
  source: ODataSource,
  request: RowRequest,
  { id, version, values }: { id: string; version: string; values: ReadonlyMap<string, FieldValue> },
): Promise<RemoteRow> {
  const { object } = request
  requireWritable(object)
  const body = JSON.stringify(writeBody(object, values))
  await requireOwn(source, request, id)
  const response = await change(source, request, id, {
    method: 'PATCH',
    query: selectQuery(object),
    headers: { ...writeHeaders, 'if-match': etagOf(version), prefer: 'return=representation' },
    body,
  })
  return response.text.trim() === '' ? readRecord(source, request, id) : writtenRow(response, request)
}

/**
 * @param version the ETag that the row must have; null to delete the row as it is now
 * @throws AlmanacError `conflict.stale_version`, `record.not_found`, `conflict.source`, `integration.no_version`
 */
export async function deleteRecord(
  source: ODataSource,
  request: RowRequest,
  { id, version }: { id: string; version: string | null },
): Promise<void> {
  const { object } = request
  requireWritable(object)
  const known = version === null ? (await readRecord(source, request, id)).version : version
  if (known === null) throw noVersion(object)
  if (version !== null) await requireOwn(source, request, id)
  const headers = { ...readHeaders, 'if-match': etagOf(known) }
  await change(source, request, id, { method: 'DELETE', query: '', headers })
}

interface Change {
  method: 'PATCH' | 'DELETE'
  query: string
  headers: Readonly<Record<string, string>>
  body?: string
}

function change(
  source: ODataSource,
  { object, signal }: RowRequest,
  id: string,
  request: Change,
): Promise<RemoteResponse> {
  const refused = (status: number, error: AlmanacError): AlmanacError | undefined => {
    if (isGone(status)) return notFound(object, id)
    if (status === 412)
      return new AlmanacError(
        'conflict.stale_version',
        `The row ${id} of ${object.key} has changed in the source since it was read. Read it again and repeat the change.`,
      )
    return status === 409 || status === 428 ? as('conflict.source', error) : undefined
  }
  const sent = send(source, object, { ...request, path: pathOf(object, id) }, { signal, refused })
  return untilDeadline(sent, signal, () => timedOut(nameOf(object)))
}

/** A row of a different owner does not exist for the caller; the version then keeps it the row that was checked. */
async function requireOwn(source: ODataSource, request: RowRequest, id: string): Promise<void> {
  if (request.object.body.ownerColumn !== undefined && request.owner !== null)
    await readRecord(source, request, id)
}

/** @throws AlmanacError `integration.unreadable` if the response is not the row */
function writtenRow(response: RemoteResponse, request: RowRequest): RemoteRow {
  const row = rowOf(response, { ...request, owner: null })
  if (row !== null) return row
  const { object } = request
  throw new AlmanacError(
    'integration.unreadable',
    `${nameOf(object)} was changed, but the response has no readable ${object.body.externalId}. Read the row again.`,
  )
}

/** A source can return the URL of a new row instead of the row. */
function newId(
  { serviceRoot }: ODataSource,
  object: VirtualObject,
  values: ReadonlyMap<string, FieldValue>,
  { headers }: RemoteResponse,
): string {
  const { externalId, remoteEntity } = object.body
  const link = headers['odata-entityid'] ?? headers['location']
  const prefix = `/${remoteEntity}(`
  const path =
    link === undefined
      ? ''
      : decodeURIComponent(
          addressOfLink(link, {
            ...{ serviceRoot, what: `The new row of ${nameOf(object)}`, base: [`./${remoteEntity}`] },
          }).path,
        )
  if (path.startsWith(prefix) && path.endsWith(')')) {
    const literal = path.slice(prefix.length, -1).replace(new RegExp(`^${externalId}=`), '')
    return literal.startsWith("'") ? literal.slice(1, -1).replaceAll("''", "'") : literal
  }
  const field = [...object.fields.values()].find(({ remote }) => remote === externalId)
  const value = field === undefined ? undefined : values.get(field.key)
  if (typeof value === 'string') return value
  throw new AlmanacError('integration.unreadable', 'The response does not name the row.')
}

/** A version is sent as a header; one that no source has written is stale. */
function etagOf(version: string): string {
  if (/^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(version)) return version
  throw new AlmanacError('conflict.stale_version', 'The version is not one of this row. Read it again.')
}

function requireWritable({ key, body }: VirtualObject): void {
  if (body.writable === true) return
  throw new AlmanacError(
    'virtual.not_writable',
    `${key} is virtual and cannot be written. Set "writable" of object/${key} if its source has ETags.`,
  )
}

const noVersion = (object: VirtualObject): AlmanacError =>
  new AlmanacError(
    'integration.no_version',
    `${nameOf(object)} returned the row without an ETag, so it cannot be changed safely. Enable ETags in the service, or set "writable" of object/${object.key} to false.`,
  )

const as = (code: 'conflict.exists' | 'conflict.source', { message }: AlmanacError): AlmanacError =>
  new AlmanacError(code, message)
