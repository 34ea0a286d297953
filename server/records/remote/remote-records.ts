// Virtual objects through the same data API as stored ones (docs/reference/virtual-objects.md). A source is called outside of
// every transaction, with the caller as the actor.
import type { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { rowPrograms } from '#kernel/records/index.ts'
import { objectKeyOf } from '#kernel/components/object/object-named.ts'
import type { RecordJson, RecordPlace } from '#wire/records.ts'
import { readRecord, virtualObjectOf } from '../../virtual/index.ts'
import type { QueryRequest } from '../query/run-query.ts'
import type { SearchRequest } from '../query/run-search.ts'
import { nameFieldOf } from '../record-indexes.ts'
import { fullProjection, projectionOf } from '../read/projection.ts'
import { readableObject, type RecordCaller } from '../read/record-caller.ts'
import type { FoundRecords } from '../read/found-records.ts'
import { RemoteReferences } from '../read/remote-references.ts'
import { deleteRow, insertRow, updateRow, type RowChange } from './change-rows.ts'
import { queryRows, searchForRows, type QueryParts, type RowTerms } from './query-rows.ts'
import { openObject, rowDeadlineMs, rowRequest, type RemoteCaller } from './remote-object.ts'
import { rowsById } from './rows-by-id.ts'
import { rowsJson } from './rows-json.ts'

export interface RemoteRecords {
  /** @throws AlmanacError `record.not_found`, also for a row of a different owner, and those of the source */
  get(from: RemoteCaller, name: string, id: string, names?: readonly string[]): Promise<RecordJson>
  query(from: RemoteCaller, request: QueryRequest, note: RowTerms['note']): Promise<FoundRecords>
  search(from: RemoteCaller, request: SearchRequest, note: RowTerms['note']): Promise<FoundRecords>
  /** The names of rows of these objects, by object and id as they were requested. */
  names(
    from: RemoteCaller,
    places: readonly RecordPlace[],
    objects: readonly string[],
  ): Promise<Map<string, string>>
  insert(
    from: RemoteCaller,
    request: { object: string; fields: Readonly<Record<string, unknown>> },
  ): Promise<RecordJson>
  update(
    from: RemoteCaller,
    request: RowChange & { fields: Readonly<Record<string, unknown>> },
  ): Promise<RecordJson>
  delete(from: RemoteCaller, request: RowChange): Promise<void>
  /** Enters what references to virtual objects name. Returns what is wrong with it. */
  fill(from: RemoteCaller, references: RemoteReferences, within?: AbortSignal): Promise<AlmanacError[]>
}

export function createRemoteRecords(parts: QueryParts): RemoteRecords {
  const fill = (
    from: RemoteCaller,
    references: RemoteReferences,
    within: AbortSignal | null = null,
  ): Promise<AlmanacError[]> =>
    references.fill((object, ids, fields) => rowsById(parts, from, { object, ids, fields }, within))
  /** The deadline of a list is one for its rows and for what they refer to. */
  const withReferences = async (
    from: RemoteCaller,
    object: string,
    work: (terms: Pick<RowTerms, 'references' | 'signal'>) => Promise<FoundRecords>,
  ): Promise<FoundRecords> => {
    const references = new RemoteReferences()
    const { view } = from.caller.present
    const key = readableObject(from.caller, object).object
    const signal = parts.sources.deadline(virtualObjectOf(view, key)!.source.body.listViewDeadlineMs)
    const found = await work({ references, signal })
    const more = await fill(from, references, signal)
    return { ...found, warnings: [...(found.warnings ?? []), ...more] }
  }
  return {
    fill,
    get: async (from, name, id, names) => {
      const { caller } = from
      const programs = readableObject(caller, name)
      const projection =
        names === undefined ? fullProjection(programs) : projectionOf(caller, programs, names)
      const opened = openObject(parts.sources, from, programs)
      const signal = parts.sources.deadline(rowDeadlineMs)
      const row = await readRecord(opened.source, rowRequest(opened, caller, signal), id)
      const references = new RemoteReferences()
      const [json] = await rowsJson(parts, caller, opened, { rows: [row], projection, remote: references })
      await fill(from, references)
      return json!
    },
    query: (from, request, note) =>
      withReferences(from, request.object, (terms) => queryRows(parts, from, request, { ...terms, note })),
    search: (from, request, note) =>
      withReferences(from, request.object, (terms) =>
        searchForRows(parts, from, request, { ...terms, note }),
      ),
    names: async (from, places, objects) => {
      const found = new Map<string, string>()
      for (const object of objects) {
        const field = nameFieldOf(from.caller.present.view, readableObject(from.caller, object).object)!
        const ids = places.flatMap((place) => (place.object === object ? [place.id] : []))
        const { rows } = await rowsById(parts, from, { object, ids, fields: [field] })
        for (const [id, { fields }] of rows)
          if (fields[field] != null) found.set(`${object}/${id}`, String(fields[field]))
      }
      return found
    },
    insert: (from, request) => insertRow(parts, from, request),
    update: (from, request) => updateRow(parts, from, request),
    delete: (from, request) => deleteRow(parts, from, request),
  }
}

/** Whether an object is virtual, by its key or alias. */
export function isVirtualObject({ present }: Pick<RecordCaller, 'present'>, name: string): boolean {
  return rowPrograms(present.view, objectKeyOf(present.view, name) ?? name)?.isVirtual === true
}
