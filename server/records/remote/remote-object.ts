// A virtual object as a caller reads and writes it.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { FieldId, ObjectPrograms } from '#kernel/records/index.ts'
import {
  virtualObjectOf,
  type ODataSource,
  type RemoteRow,
  type RowRequest,
  type VirtualObject,
} from '../../virtual/index.ts'
import type { CursorSeal } from '../query/cursor-seal.ts'
import type { ShownRecord } from '../read/record-json.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import type { RemoteSources } from './remote-sources.ts'

export interface RemoteCaller {
  caller: RecordCaller
  correlationId: string
}

export interface OpenedObject {
  object: VirtualObject
  programs: ObjectPrograms
  source: ODataSource
  /** The user whose rows alone are read; null if all are. */
  owner: string | null
}

export function openObject(
  sources: RemoteSources,
  { caller, correlationId }: RemoteCaller,
  programs: ObjectPrograms,
): OpenedObject {
  const { present, access } = caller
  const object = virtualObjectOf(present.view, programs.object)!
  const source = sources.open(object.source, {
    ...{ user: access.user, correlationId, view: present.view, withinMs: rowDeadlineMs },
  })
  return { object, programs, source, owner: ownerOf(caller, object, 'read') }
}

/** Rights on all records replace the ownership, as they do for local objects. */
export function ownerOf(
  { access }: RecordCaller,
  { key, body }: VirtualObject,
  purpose: 'read' | 'change',
): string | null {
  const toAll = access.accessToAll(key)
  const isForAll = purpose === 'read' ? toAll !== 'none' : toAll === 'read_write'
  return body.ownerColumn === undefined || isForAll ? null : access.user
}

/** How long one row can take, with every attempt that its named credential allows. */
export const rowDeadlineMs = 60_000

export function rowRequest(
  { object, owner }: Pick<OpenedObject, 'object' | 'owner'>,
  { present }: RecordCaller,
  signal: AbortSignal,
): RowRequest {
  return { object, view: present.view, owner, signal }
}

/**
 * An ETag can contain values of the row that the caller cannot read, so it is sealed. Equal ETags have equal versions.
 *
 * @param stable a seal with equal texts for equal places
 */
export const sealVersion = (stable: CursorSeal, object: string, id: string, etag: string): string =>
  stable.seal(versionPlace(object, id), etag)

/** Null if it is not a version of this row. */
export function openVersion(stable: CursorSeal, object: string, id: string, version: string): string | null {
  try {
    return stable.open(versionPlace(object, id), version) as string
  } catch {
    return null
  }
}

const versionPlace = (object: string, id: string): string => `version ${object} ${id}`

/** A row as a record, by the identities of its fields. */
export function recordOf(
  { present }: RecordCaller,
  stable: CursorSeal,
  { key }: VirtualObject,
  { id, version, fields }: RemoteRow,
): ShownRecord {
  const ids = present.names.fieldIds(key)
  const values = new Map<FieldId, FieldValue>()
  for (const [field, value] of fields) values.set(ids.get(field)!, value)
  return { id, version: version === null ? null : sealVersion(stable, key, id, version), values }
}
