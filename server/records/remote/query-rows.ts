// Runs a query or a search over a virtual object as the caller, page by page. Its source filters and sorts, as far as that is
// declared; the cursor of the source is sealed, and names its query.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ObjectPrograms } from '#kernel/records/index.ts'
import { listPage, type RemotePlace, type VirtualObject } from '../../virtual/index.ts'
import type { CursorSeal } from '../query/cursor-seal.ts'
import { namedFields, type QueryRequest, type QueryTerms } from '../query/run-query.ts'
import type { SearchRequest } from '../query/run-search.ts'
import { pathOf, projectionOf, type ProjectedField } from '../read/projection.ts'
import { readableObject, type RecordCaller } from '../read/record-caller.ts'
import type { FoundRecords } from '../read/found-records.ts'
import { usedAlong, usedObject } from '../uses/used-fields.ts'
import { neededFields } from './needed-fields.ts'
import { openObject, type RemoteCaller } from './remote-object.ts'
import type { RemoteSources } from './remote-sources.ts'
import { boundFilter } from './row-filter-of.ts'
import { rowsJson, type RowsParts } from './rows-json.ts'
import { searchFilter, searchedFields, wordsOf } from './search-filter.ts'

export interface QueryParts extends RowsParts {
  sources: RemoteSources
  seal: CursorSeal
}

export type RowTerms = Required<Pick<QueryTerms, 'note' | 'references'>> & {
  /** Aborted at the deadline of the list. */
  signal: AbortSignal
}

/** What a query and a search have in common. */
interface RowQuery extends Pick<QueryRequest, 'filter' | 'limit' | 'cursor' | 'countTo' | 'orderBy'> {
  projection: readonly ProjectedField[]
  /** What the cursor belongs to, without the user. */
  of: readonly unknown[]
}

/** @throws AlmanacError `object.not_found`, `access.denied`, `expression.invalid`, `request.invalid`, `request.malformed`, and those of the source */
export async function queryRows(
  parts: QueryParts,
  from: RemoteCaller,
  request: QueryRequest,
  terms: RowTerms,
): Promise<FoundRecords> {
  const programs = readableObject(from.caller, request.object)
  const { fields, filter, orderBy } = request
  const projection = projectionOf(from.caller, programs, fields)
  const of = [programs.object, fields, filter ?? null, orderBy]
  useOf(from, programs, request, projection, terms)
  return runQuery(parts, from, programs, { ...request, projection, of }, terms)
}

/** Finds rows in which each word of the text occurs. @throws AlmanacError as `queryRows` */
export async function searchForRows(
  parts: QueryParts,
  from: RemoteCaller,
  request: SearchRequest,
  terms: RowTerms,
): Promise<FoundRecords> {
  const { caller } = from
  const programs = readableObject(caller, request.object)
  const { fields, filter, text, limit, cursor } = request
  const projection = projectionOf(caller, programs, fields)
  const keys = searchedFields(caller, programs, request.matchFields)
  const words = wordsOf(text)
  const of = [programs.object, fields, filter ?? null, text, keys]
  if (words.length > 0 && keys.length === 0) return { records: [], nextCursor: null, warnings: [] }
  const filters = [filter, searchFilter(keys, words)].filter((each) => each !== undefined)
  const combined = filters.length < 2 ? filters[0] : filters.map((each) => `(${each})`).join(' && ')
  const { pushdown } = openObject(parts.sources, from, programs).object.source.body
  const orderBy = pushdown.sort ? keys.slice(0, 1).map((field) => ({ field, dir: 'asc' as const })) : []
  const matched = keys.map((field) => ({ field, dir: 'asc' as const }))
  useOf(from, programs, { object: request.object, filter, orderBy: matched }, projection, terms)
  return runQuery(parts, from, programs, { filter: combined, limit, cursor, orderBy, projection, of }, terms)
}

async function runQuery(
  parts: QueryParts,
  from: RemoteCaller,
  programs: ObjectPrograms,
  { projection, filter, orderBy, limit, cursor, countTo, of: query }: RowQuery,
  { references, signal }: RowTerms,
): Promise<FoundRecords> {
  const { caller } = from
  const { access, present } = caller
  const { seal, sources } = parts
  const opened = openObject(sources, from, programs)
  const { object, source, owner } = opened
  const { pushdown } = object.source.body
  const of = JSON.stringify(['rows', access.user, ...query])
  const order = orderOf(caller, programs, object, orderBy)
  const bound = boundFilter(caller, object, filter)
  const others = [...order.map(({ field }) => field), ...(bound?.by.fields ?? [])]
  const page = await listPage(
    source,
    {
      ...{ object: neededFields(object, projection, others), view: present.view, owner, limit },
      ...{ filter: bound, orderBy: order },
      shows: (field) => access.canReadField(object.key, field),
      count: countTo !== undefined && pushdown.aggregate,
      place: cursor === undefined ? null : (seal.open(of, cursor) as RemotePlace),
    },
    signal,
  )
  const { rows, next, count, warnings } = page
  const records = await rowsJson(parts, caller, opened, { rows, projection, remote: references })
  return {
    records,
    nextCursor: next === null ? null : seal.seal(of, next),
    ...(count === null || countTo === undefined ? {} : { totalEstimate: Math.min(count, countTo) }),
    warnings,
  }
}

/** Notes what a client uses. */
function useOf(
  { caller }: RemoteCaller,
  programs: ObjectPrograms,
  request: Pick<QueryRequest, 'object' | 'filter' | 'orderBy'>,
  projection: readonly ProjectedField[],
  { note }: RowTerms,
): void {
  note(() => [
    ...usedObject(caller.present, request.object),
    ...usedAlong(caller, [...projection, ...namedFields(caller, programs, request)]),
  ])
}

/** @throws AlmanacError `request.invalid` */
function orderOf(
  caller: RecordCaller,
  programs: ObjectPrograms,
  { key, body, fields, source }: VirtualObject,
  orderBy: QueryRequest['orderBy'],
): QueryRequest['orderBy'] {
  const refuse = (reason: string): never => {
    throw new AlmanacError('request.invalid', `orderBy: ${reason}`)
  }
  return orderBy.map(({ field: name, dir }) => {
    const path = pathOf(caller, programs, name, 'readable')
    if (!Array.isArray(path)) {
      const id = [...fields.values()].find(({ remote }) => remote === body.externalId)
      if (name === 'id' && id !== undefined && caller.access.canReadField(key, id.key))
        return { field: id.key, dir }
      return refuse(path as string)
    }
    const [first, ...others] = path as ProjectedField['path']
    if (others.length > 0)
      refuse(
        `${key} is virtual, and its source ${source.key} cannot order by ${name}, a field of another object. Order by a field of ${key}.`,
      )
    if (first!.field.formula !== undefined)
      refuse(
        `${key} is virtual, and its source ${source.key} cannot order by ${name}, a formula that is computed here. Order by a field of the source.`,
      )
    return { field: first!.field.key, dir }
  })
}
