// Reads rows of a virtual object by their ids: what references name, and the names of open pages.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RecordJson } from '#wire/records.ts'
import { listPage, readRecord, type RemoteRow } from '../../virtual/index.ts'
import type { ProjectedField } from '../read/projection.ts'
import { projectionOf } from '../read/projection.ts'
import { readableObject } from '../read/record-caller.ts'
import { RemoteReferences, type FoundRows } from '../read/remote-references.ts'
import { neededFields } from './needed-fields.ts'
import { openObject, rowRequest, type OpenedObject, type RemoteCaller } from './remote-object.ts'
import type { QueryParts } from './query-rows.ts'
import { rowsJson } from './rows-json.ts'

/** Ids in one filter, which is a part of a URL. */
const idsInFilter = 40
/** Single reads at a time, of a source that does not filter. */
const readsAtOnce = 4

interface Found {
  rows: RemoteRow[]
  failure: AlmanacError | null
  warnings: AlmanacError[]
}

/**
 * Ends at the deadline of lists of the source, with the rows that arrived.
 *
 * @param within the deadline of the list that refers to them; null without one
 */
export async function rowsById(
  parts: QueryParts,
  from: RemoteCaller,
  { object: name, ids, fields }: { object: string; ids: readonly string[]; fields: readonly string[] },
  within: AbortSignal | null = null,
): Promise<FoundRows> {
  const { caller } = from
  const programs = readableObject(caller, name)
  const projection: readonly ProjectedField[] = projectionOf(caller, programs, fields)
  const all = openObject(parts.sources, from, programs)
  const opened = { ...all, object: neededFields(all.object, projection) }
  const { pushdown, listViewDeadlineMs } = opened.object.source.body
  const own = parts.sources.deadline(listViewDeadlineMs)
  const signal = within === null ? own : AbortSignal.any([own, within])
  const found: Found = { rows: [], failure: null, warnings: [] }
  const unique = [...new Set(ids)]
  if (pushdown.filter) await listRows(opened, from, { ids: unique, signal }, found)
  else await readRows(opened, from, { ids: unique, signal }, found)
  const { rows, failure, warnings } = found
  const json = await rowsJson(parts, caller, opened, { rows, projection, remote: new RemoteReferences() })
  return { rows: new Map(json.map((record): [string, RecordJson] => [record.id, record])), failure, warnings }
}

interface Wanted {
  ids: readonly string[]
  signal: AbortSignal
}

async function listRows(
  { object, source, owner }: OpenedObject,
  { caller }: RemoteCaller,
  { ids, signal }: Wanted,
  found: Found,
): Promise<void> {
  const { present, access } = caller
  for (let at = 0; at < ids.length && found.failure === null; at += idsInFilter) {
    const some = ids.slice(at, at + idsInFilter)
    try {
      const { rows, warnings } = await listPage(
        source,
        {
          ...{ object, view: present.view, owner, filter: null, orderBy: [], count: false, place: null },
          ...{ ids: new Set(some), limit: some.length },
          shows: (field) => access.canReadField(object.key, field),
        },
        signal,
      )
      found.rows.push(...rows)
      for (const warning of warnings)
        if (warning.code === 'limit.list_incomplete' || isFailure(warning)) found.failure ??= warning
        else found.warnings.push(warning)
    } catch (error) {
      found.failure = failureOf(error)
    }
  }
}

/** A later response of the page that failed. */
const isFailure = ({ origin, code }: AlmanacError): boolean =>
  origin === 'integration.callout' || code === 'integration.unreadable'

async function readRows(
  opened: OpenedObject,
  { caller }: RemoteCaller,
  { ids, signal }: Wanted,
  found: Found,
): Promise<void> {
  const request = rowRequest(opened, caller, signal)
  const left = [...ids]
  const readSome = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined && found.failure === null; id = left.shift())
      try {
        found.rows.push(await readRecord(opened.source, request, id))
      } catch (error) {
        if (!(error instanceof AlmanacError) || error.code !== 'record.not_found')
          found.failure ??= failureOf(error)
      }
  }
  await Promise.all(Array.from({ length: readsAtOnce }, readSome))
}

function failureOf(error: unknown): AlmanacError {
  if (error instanceof AlmanacError) return error
  throw error
}
