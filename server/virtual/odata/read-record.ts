// Reads one row of a virtual object.
import type { ComponentView } from '#kernel/components/view.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RemoteResponse } from '../remote-call.ts'
import type { RemoteRow } from '../remote-row.ts'
import { timedOut, untilDeadline } from '../until-aborted.ts'
import type { VirtualObject } from '../virtual-object.ts'
import { keyPath } from './key-path.ts'
import { nameOf, readHeaders, send, type ODataSource } from './odata-source.ts'
import { objectPayload } from './payload.ts'
import { selectQuery } from './query-text.ts'
import { readRow } from './read-row.ts'

export interface RowRequest {
  object: VirtualObject
  /** Of the generation of the request: its value sets. */
  view: ComponentView
  /** The user's key, if only their rows exist for them; null if all do. */
  owner: string | null
  /** Aborted at the deadline. */
  signal: AbortSignal
}

/** @throws AlmanacError `record.not_found`, also for a row of a different owner */
export async function readRecord(source: ODataSource, request: RowRequest, id: string): Promise<RemoteRow> {
  const { object, signal } = request
  const path = pathOf(object, id)
  const response = await untilDeadline(
    send(
      source,
      object,
      { method: 'GET', path, query: selectQuery(object), headers: readHeaders },
      { signal, refused: (status) => (isGone(status) ? notFound(object, id) : undefined) },
    ),
    signal,
    () => timedOut(nameOf(object)),
  )
  const row = rowOf(response, request)
  if (row === null || row.id !== id) throw notFound(object, id)
  return row
}

/** Null if it is not a row of the owner. */
export function rowOf(response: RemoteResponse, { object, view, owner }: RowRequest): RemoteRow | null {
  const read = readRow(objectPayload(response, nameOf(object)), object, view)
  if (read === null) return null
  const { owner: holder, ...row } = read
  if (object.body.ownerColumn !== undefined && owner !== null && holder !== owner) return null
  return row
}

export function pathOf(object: VirtualObject, id: string): string {
  const path = keyPath(object, id)
  if (path === null) throw notFound(object, id)
  return path
}

export const isGone = (status: number): boolean => status === 404 || status === 410

export const notFound = ({ key }: VirtualObject, id: string): AlmanacError =>
  new AlmanacError('record.not_found', `${key} has no record ${id.slice(0, 80)}, or you cannot see it.`)
