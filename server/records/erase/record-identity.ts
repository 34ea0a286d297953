// How rows of bulk jobs refer to a record that is erased: by its id, or by a value of a unique field that it has, or had.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import {
  objectPrograms,
  parseFieldValue,
  type FieldId,
  type ObjectId,
  type RecordSnapshot,
} from '#kernel/records/index.ts'
import type { IngestColumn } from '../../ports/ingest.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import type { RowContent } from '../ingest/ingest-columns.ts'
import { changesOf } from '../read/changes-of.ts'

export interface RecordIdentity {
  /** Whether rows for an object can refer to the record so that they must not be kept. */
  isConcerned(object: ObjectId): boolean
  /** Null if no row with these columns can. */
  rowTest(object: ObjectId, columns: readonly IngestColumn[]): ((row: RowContent) => boolean) | null
  /** The id and the values, as they are stored. */
  texts: readonly string[]
}

interface Subject {
  object: ObjectId
  id: string
}

type CellTest = (cell: unknown) => boolean

export async function recordIdentity(
  present: RecordSnapshot,
  reader: Pick<RecordReader, 'get' | 'history'>,
  { object, id }: Subject,
): Promise<RecordIdentity> {
  const unique = uniqueFields(present, object)
  const values = await valuesOf(reader, { object, id }, new Set(unique.map(({ fieldId }) => fieldId)))
  const tests = new Map<string, CellTest>()
  const sensitiveTests = new Map<string, CellTest>()
  for (const { fieldId, field } of unique) {
    const own = values.get(fieldId) ?? new Set()
    const test: CellTest = (cell) => {
      const parsed = parseFieldValue(field, cell, present.view)
      return parsed.ok && own.has(String(parsed.value))
    }
    for (const name of [field.key, ...field.aliases]) {
      tests.set(name, test)
      if (field.sensitive) sensitiveTests.set(name, test)
    }
  }
  const ownTest = (column: string): CellTest | undefined =>
    column === 'id' ? (cell) => cell === id : tests.get(column)
  /** A row that refers to it from another record contains what is erased only if the value is sensitive. */
  const targetTest = (from: ObjectId, column: string): CellTest | undefined => {
    const [name = '', target = ''] = column.split('.')
    return referencesTo(present, from, object).has(name) ? sensitiveTests.get(target) : undefined
  }
  return {
    texts: [id, ...[...values.values()].flatMap((each) => [...each])],
    isConcerned: (from) =>
      from === object || (sensitiveTests.size > 0 && referencesTo(present, from, object).size > 0),
    rowTest: (from, columns) => {
      const places = columns.flatMap((column, index) => {
        if (column === null) return []
        const test = (from === object ? ownTest(column) : undefined) ?? targetTest(from, column)
        return test === undefined ? [] : [{ index, column, test }]
      })
      if (places.length === 0) return null
      return (row) =>
        places.some(({ index, column, test }) => {
          const cell = 'cells' in row ? row.cells[index] : row.members[column]
          return cell !== null && cell !== undefined && test(cell)
        })
    },
  }
}

interface UniqueField {
  fieldId: FieldId
  field: ObjectField
}

function uniqueFields(present: RecordSnapshot, object: ObjectId): UniqueField[] {
  const key = present.names.objectKey(object)
  const programs = key === undefined ? null : objectPrograms(present.view, key)
  if (programs === null) return []
  const ids = present.names.fieldIds(programs.object)
  return programs.body.fields.flatMap((field) =>
    field.unique ? [{ field, fieldId: ids.get(field.key)! }] : [],
  )
}

/** The names, aliases included, of the references of an object to another one. */
function referencesTo(present: RecordSnapshot, from: ObjectId, to: ObjectId): Set<string> {
  const key = present.names.objectKey(from)
  const programs = key === undefined ? null : objectPrograms(present.view, key)
  const target = present.names.objectKey(to)
  const fields = programs?.body.fields.filter(({ references }) => references === target) ?? []
  return new Set(fields.flatMap((field) => [field.key, ...field.aliases]))
}

/** The values that the record has, and those that it had. */
async function valuesOf(
  reader: Pick<RecordReader, 'get' | 'history'>,
  { object, id }: Subject,
  unique: ReadonlySet<FieldId>,
): Promise<Map<FieldId, Set<string>>> {
  const values = new Map<FieldId, Set<string>>()
  const add = (field: FieldId, value: FieldValue | undefined): void => {
    if (value === null || value === undefined || !unique.has(field)) return
    values.set(field, (values.get(field) ?? new Set()).add(String(value)))
  }
  const [record] = await reader.get(object, [id])
  for (const [field, value] of record?.values ?? []) add(field, value)
  for await (const { fields } of changesOf(reader, object, id))
    for (const { field, before, after } of fields) {
      add(field, before)
      add(field, after)
    }
  return values
}
