// Finds records by the beginnings of words, as the caller, page by page.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { searchWords, type FieldId, type ObjectPrograms } from '#kernel/records/index.ts'
import type { FoundRecords } from '../read/found-records.ts'
import type { QueryPage, RecordReader } from '../../ports/record-store.ts'
import type { QueryOrder } from '../../ports/record-query.ts'
import { projectionOf } from '../read/projection.ts'
import { readableObject, type RecordCaller } from '../read/record-caller.ts'
import { nameFieldOf, recordIndexes } from '../record-indexes.ts'
import { recordTable } from '../record-table.ts'
import { usedAlong, usedObject } from '../uses/used-fields.ts'
import { filterCondition, filterFields, visibleBecause } from './conditions.ts'
import { openPlace } from './page-place.ts'
import { namedFields, pageReply, requireFilled, type QueryTerms } from './run-query.ts'

export interface SearchRequest {
  /** Key or alias. */
  object: string
  /** Each word begins a word of a match field; all records if it has no word. */
  text: string
  /** Names of searched fields; the name field if omitted. */
  matchFields?: readonly string[] | undefined
  /** At least one; also along references. */
  fields: readonly string[]
  filter?: string | undefined
  /** 1 to 2,000. */
  limit: number
  cursor?: string | undefined
}

/** @throws AlmanacError `object.not_found`, `access.denied`, `expression.invalid`, `request.invalid`, `request.malformed`, `record.filling` */
export async function runSearch(
  caller: RecordCaller,
  reader: RecordReader,
  terms: QueryTerms,
  request: SearchRequest,
): Promise<FoundRecords> {
  const { seal, note = () => undefined } = terms
  const programs = readableObject(caller, request.object)
  const { object } = programs
  const { access, present } = caller
  const projection = projectionOf(caller, programs, request.fields)
  const where = filterCondition(caller, object, request.filter)
  const keys = matchedFields(caller, programs, request.matchFields)
  await requireFilled(caller, reader, [
    ...filterFields(caller, object, request.filter),
    ...keys.map((field) => ({ steps: [{ object, field }] })),
  ])
  const ids = present.names.fieldIds(object)
  const fields = keys.map((key) => ids.get(key)!)
  const unindexed = await reader.unindexed(recordTable(present, object))
  if (fields.some((field) => unindexed.includes(field)))
    throw new AlmanacError(
      'record.filling',
      `The words of ${object} are being indexed for existing records. Search again when the job has finished.`,
    )
  const { cursor, limit, text, filter } = request
  const of = JSON.stringify([access.user, object, request.fields, filter ?? null, text, keys])
  const id = present.names.objectId(object)!
  const orderBy = byFirstField(fields)
  const after = await openPlace(reader, { seal, of, cursor }, { object: id, orderBy })
  const found = {
    object: id,
    anyOf: visibleBecause(caller, object),
    where,
    after,
  }
  const words = searchWords(text)
  const page = await pageOf(reader, { ...found, fields, words, limit }, orderBy)
  note(() => [
    ...usedObject(present, request.object),
    ...usedAlong(caller, [
      ...projection,
      ...namedFields(caller, programs, {
        filter,
        orderBy: keys.map((field) => ({ field, dir: 'asc' })),
      }),
    ]),
  ])
  return pageReply(caller, reader, terms, { object, projection, found: page, of })
}

type Search = Parameters<RecordReader['search']>[0]

/** @param orderBy the order without a word */
function pageOf(
  reader: RecordReader,
  { fields, words, ...search }: Search,
  orderBy: readonly QueryOrder[],
): Promise<QueryPage> {
  if (words.length === 0) return reader.query({ ...search, orderBy })
  if (fields.length > 0) return reader.search({ ...search, fields, words })
  return Promise.resolve({ hits: [], hasMore: false })
}

const byFirstField = (fields: readonly FieldId[]): QueryOrder[] =>
  fields.slice(0, 1).map((field) => ({ field: { via: [], field }, dir: 'asc' }))

/** The keys of the fields that are searched. @throws AlmanacError `request.invalid` */
function matchedFields(
  { access, present }: RecordCaller,
  programs: ObjectPrograms,
  names: readonly string[] | undefined,
): string[] {
  const { object } = programs
  const name = nameFieldOf(present.view, object)
  const searched = recordIndexes(present.view, object).searched
  if (names === undefined) {
    // A caller who cannot read the name field finds records by another one.
    const first = [name, ...searched].find((key) => key !== null && access.canReadField(object, key))
    return first == null ? [] : [first]
  }
  const readable = programs.body.fields.filter(({ key }) => access.canReadField(object, key))
  const keys = names.map((each) => {
    const field = programs.field(each)
    if (field === undefined || !access.canReadField(object, field.key))
      throw new AlmanacError(
        'request.invalid',
        `matchFields: ${object} has no field "${each}".${didYouMean(
          each,
          readable.map(({ key }) => key),
        )}`,
      )
    if (!searched.has(field.key)) {
      const known = readable.flatMap(({ key }) => (searched.has(key) ? [key] : []))
      throw new AlmanacError(
        'request.invalid',
        `matchFields: ${object}.${field.key} cannot be searched. ${explainSearched(known)}`,
      )
    }
    return field.key
  })
  return [...new Set(keys)]
}

function explainSearched(known: readonly string[]): string {
  const fields = known.length === 0 ? '' : `Search ${known.join(', ')}, or use a filter. `
  return `${fields}Searched are the name field, unique text fields, and text fields in the matchFields of a placed lookup field.`
}
