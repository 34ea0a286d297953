// Runs a query as the caller, page by page.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { fieldPathsOf, type FilterField } from '#kernel/expr/index.ts'
import { objectPrograms, type ObjectPrograms } from '#kernel/records/index.ts'
import { maxPageCharacters, textLength } from '../../ports/page-size.ts'
import type { QueryOrder } from '../../ports/record-query.ts'
import type { QueryPage, RecordReader } from '../../ports/record-store.ts'
import { recordTable } from '../record-table.ts'
import { pathOf, projectionOf, type ProjectedField } from '../read/projection.ts'
import { usedAlong, usedObject } from '../uses/used-fields.ts'
import type { UsedField } from '../uses/field-uses.ts'
import { readableObject, type RecordCaller } from '../read/record-caller.ts'
import type { RecordJson } from '#wire/records.ts'
import { recordsJson } from '../read/record-json.ts'
import type { FoundRecords } from '../read/found-records.ts'
import type { RemoteReferences } from '../read/remote-references.ts'
import { filterCondition, filterFields, queryField, visibleBecause } from './conditions.ts'
import type { CursorSeal } from './cursor-seal.ts'
import { openPlace, sealPlace } from './page-place.ts'

export interface QueryRequest {
  /** Key or alias. */
  object: string
  /** At least one; also along references. */
  fields: readonly string[]
  filter?: string | undefined
  orderBy: readonly { field: string; dir: 'asc' | 'desc' }[]
  /** 1 to 2,000. */
  limit: number
  cursor?: string | undefined
  /** Up to how many records all pages together are counted; none if omitted. */
  countTo?: number | undefined
}

/** What a query and a search are given beside the records. */
export interface QueryTerms {
  seal: CursorSeal
  note?: (used: () => UsedField[]) => void
  /** Receives what references to virtual objects name. */
  references?: RemoteReferences
}

/** @throws AlmanacError `object.not_found`, `access.denied`, `expression.invalid`, `request.invalid`, `request.malformed` */
export async function runQuery(
  caller: RecordCaller,
  reader: RecordReader,
  terms: QueryTerms,
  request: QueryRequest,
): Promise<FoundRecords> {
  const { seal, note = () => undefined } = terms
  const programs = readableObject(caller, request.object)
  const { object } = programs
  const { access, present } = caller
  const projection = projectionOf(caller, programs, request.fields)
  const where = filterCondition(caller, object, request.filter)
  const { order, idDir } = orderOf(caller, object, request.orderBy)
  await requireFilled(caller, reader, [
    ...filterFields(caller, object, request.filter),
    ...order.map(({ steps }) => ({ steps })),
  ])
  const orderBy = order.map(({ steps, dir }): QueryOrder => ({
    field: queryField(caller, { steps }, 'as_caller'),
    dir,
  }))
  const { cursor, limit, filter, countTo } = request
  // The page size can differ from page to page.
  const of = JSON.stringify([access.user, object, request.fields, filter ?? null, request.orderBy])
  const id = present.names.objectId(object)!
  const after = await openPlace(reader, { seal, of, cursor }, { object: id, orderBy })
  const visible = { object: id, anyOf: visibleBecause(caller, object), where }
  const found = await reader.query({ ...visible, orderBy, idDir, after, limit })
  const totalEstimate =
    countTo === undefined ? undefined : await reader.countFound({ ...visible, limit: countTo })
  note(() => [
    ...usedObject(caller.present, request.object),
    ...usedAlong(caller, [...projection, ...namedFields(caller, programs, request)]),
  ])
  const reply = await pageReply(caller, reader, terms, { object, projection, found, of })
  return totalEstimate === undefined ? reply : { ...reply, totalEstimate }
}

interface FoundPage {
  object: string
  projection: readonly ProjectedField[]
  found: QueryPage
  /** What the cursor belongs to. */
  of: string
}

export async function pageReply(
  caller: RecordCaller,
  reader: RecordReader,
  { seal, references }: Pick<QueryTerms, 'seal' | 'references'>,
  { object, projection, found: { hits, hasMore }, of }: FoundPage,
): Promise<FoundRecords> {
  const records: RecordJson[] = []
  let characters = 0
  // Values along references count as often as they are shown.
  while (records.length < hits.length && characters <= maxPageCharacters) {
    const some = hits.slice(records.length, records.length + chunk).map(({ record }) => record)
    for (const json of await recordsJson(caller, reader, object, some, projection, {
      remote: references,
    })) {
      if (characters > maxPageCharacters) break
      records.push(json)
      for (const value of Object.values(json.fields)) characters += textLength(value)
    }
  }
  const last = hits[records.length - 1]
  const isWhole = records.length === hits.length && !hasMore
  return { records, nextCursor: isWhole || last === undefined ? null : sealPlace(seal, of, last.place) }
}

/** Records whose references are followed at once. */
const chunk = 100

/** The fields of the filter and of the order, by the names in them. */
export function namedFields(
  caller: RecordCaller,
  programs: ObjectPrograms,
  { filter, orderBy }: Pick<QueryRequest, 'filter' | 'orderBy'>,
): ProjectedField[] {
  const site = { kind: 'list_filter', object: programs.object } as const
  const paths = filter === undefined ? [] : fieldPathsOf(filter, site, caller.present.view)
  const names = [...paths.map(({ path }) => path.join('.')), ...orderBy.map(({ field }) => field)]
  return names.flatMap((name) => {
    const path = pathOf(caller, programs, name)
    return Array.isArray(path) ? [{ name, path }] : []
  })
}

/**
 * A field that a job still computes would leave out records.
 * @throws AlmanacError `record.filling`
 */
export async function requireFilled(
  { present }: RecordCaller,
  reader: RecordReader,
  fields: readonly FilterField[],
): Promise<void> {
  for (const { steps } of fields)
    for (const { object, field } of steps) {
      const unfilled = await reader.unfilled(recordTable(present, object))
      if (unfilled.includes(present.names.fieldIds(object).get(field)!))
        throw new AlmanacError(
          'record.filling',
          `${object}.${field} is being computed for existing records. Query again when the job has finished.`,
        )
    }
}

interface Order {
  order: readonly (FilterField & { dir: 'asc' | 'desc' })[]
  /** The direction of the ids, if the request orders by them. */
  idDir: 'asc' | 'desc' | undefined
}

/** @throws AlmanacError `request.invalid` */
function orderOf(caller: RecordCaller, object: string, orderBy: QueryRequest['orderBy']): Order {
  const isId = orderBy.map(({ field }) => field === 'id' && !hasReadableField(caller, object, field))
  const order = orderBy.map((each, at) => (isId[at] === true ? null : fieldOrder(caller, object, each)))
  const at = isId.indexOf(true)
  // No two records have the same id, so what follows it has no effect.
  const before = at === -1 ? order : order.slice(0, at)
  return { order: before.filter((each) => each !== null), idDir: orderBy[at]?.dir }
}

function hasReadableField({ present, access }: RecordCaller, object: string, name: string): boolean {
  const field = objectPrograms(present.view, object)!.field(name)
  return field !== undefined && access.canReadField(object, field.key)
}

/** @throws AlmanacError `request.invalid` */
function fieldOrder(
  caller: RecordCaller,
  object: string,
  { field: name, dir }: QueryRequest['orderBy'][number],
): FilterField & { dir: 'asc' | 'desc' } {
  const path = pathOf(caller, objectPrograms(caller.present.view, object)!, name, 'readable')
  if (!Array.isArray(path)) throw new AlmanacError('request.invalid', `orderBy: ${path as string}`)
  const steps = path.map((step) => ({ object: step.object, field: step.field.key }))
  for (const { field } of path)
    if (field.formula?.stored === false)
      throw new AlmanacError(
        'request.invalid',
        `orderBy: ${name} is computed when it is read, so records cannot be ordered by it. Store its formula.`,
      )
  return { steps, dir }
}
