// The columns of a bulk job: judged by name when it is closed, and used to read each row.
import { objectPrograms, rowPrograms, type FieldId, type ObjectPrograms } from '#kernel/records/index.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { RecordAccess } from '../../access/index.ts'
import type { IngestColumn, IngestJob } from '../../ports/ingest.ts'
import type { RecordSnapshot } from '#kernel/records/index.ts'
import { notStored } from '../save/record-errors.ts'

export interface IngestColumns {
  /** Key of the object. */
  object: string
  /** See `IngestJob`. */
  fields: NonNullable<IngestJob['fields']>
  /** @throws AlmanacError `ingest.row` */
  itemOf(row: RowContent): IngestItem
}

export interface IngestItem {
  id?: string
  fields: Record<string, unknown>
}

/** The cells of all columns, in their order; or members by column, without those that keep their values. */
export type RowContent = { cells: readonly unknown[] } | { members: Readonly<Record<string, unknown>> }

interface ColumnCaller {
  present: RecordSnapshot
  access: RecordAccess
}

export type ColumnJob = Pick<IngestJob, 'object' | 'operation' | 'externalId' | 'fields'> & {
  columns: readonly IngestColumn[]
}

/** A cell that identifies the record, and no field. */
export const idColumn = 'id'

/** @throws AlmanacError `object.not_found`, `virtual.not_stored`, `ingest.columns` naming every column that is not valid */
export function openColumns({ present, access }: ColumnCaller, job: ColumnJob): IngestColumns {
  const object = present.names.objectKey(job.object)
  if (object === undefined || !access.canSeeObject(object))
    throw new AlmanacError('object.not_found', 'The object of the job does not exist any more.')
  if (rowPrograms(present.view, object)?.isVirtual === true) throw notStored(object)
  const programs = objectPrograms(present.view, object)!
  const fields = namesOf(job).map((name) => fieldsOf(name, programs, present))
  const problems = [
    ...problemsOf(job, programs, { present, access }),
    ...otherFields(job, fields).map((column) => ({ column, message: otherField(object, column) })),
  ]
  if (problems.length > 0)
    throw new AlmanacError('ingest.columns', problems.map(({ message }) => message).join(' '), {
      details: problems,
    })
  return { object, fields, itemOf: itemReader(job.columns, programs) }
}

/** What a job names: its columns, and the field that finds its records. */
const namesOf = ({ columns, externalId }: Pick<ColumnJob, 'columns' | 'externalId'>): IngestColumn[] => [
  ...columns,
  externalId,
]

/** The identities of the fields along the path of a name, as far as they exist. */
function fieldsOf(path: IngestColumn, programs: ObjectPrograms, present: RecordSnapshot): FieldId[] {
  const found: FieldId[] = []
  let at: ObjectPrograms | null = programs
  for (const name of path?.split('.') ?? []) {
    const field: ObjectField | undefined = at?.field(name)
    if (at === null || field === undefined) break
    found.push(present.names.fieldIds(at.object).get(field.key)!)
    at = field.references === undefined ? null : objectPrograms(present.view, field.references)
  }
  return found
}

/** Names that belong to other fields than when the job was closed. */
function otherFields(job: ColumnJob, now: readonly (readonly FieldId[])[]): string[] {
  const others = namesOf(job).flatMap((name, at) => {
    const before = job.fields?.[at]
    const isOther = before?.some((field, index) => now[at]![index] !== undefined && now[at]![index] !== field)
    return name !== null && isOther === true ? [name] : []
  })
  return [...new Set(others)]
}

interface ColumnProblem {
  column: string
  message: string
}

function problemsOf(
  { columns, operation, externalId }: ColumnJob,
  programs: ObjectPrograms,
  { present, access }: ColumnCaller,
): ColumnProblem[] {
  const { object } = programs
  const problems: ColumnProblem[] = []
  const say = (column: string, message: string): void => void problems.push({ column, message })
  const taken = new Map<string, string>()
  const take = (column: string, name: string): boolean => {
    const other = taken.get(name)
    if (other === undefined) taken.set(name, column)
    else say(column, other === column ? `The column "${column}" occurs twice.` : sameField(other, column))
    return other === undefined
  }
  if (columns.every((column) => column === null)) say('', 'No column is loaded.')
  for (const column of columns) {
    if (column === null) continue
    if (column === idColumn) {
      take(column, idColumn)
      if (operation === 'insert' || operation === 'upsert')
        say(column, `A job with "operation": "${operation}" has no column "id": its records get new ids.`)
      else if (externalId !== null)
        say(column, 'A job finds its records by "id" or by its "externalId", not by both.')
      continue
    }
    const [name = '', target, ...more] = column.split('.')
    const field = programs.field(name)
    if (field === undefined || !isShown(access, object, field)) {
      say(column, unknownField(object, name, shownFields(programs, access)))
      continue
    }
    if (field.formula !== undefined || field.rollup !== undefined) {
      say(column, `${column} is computed and cannot be loaded. Remove the column.`)
      continue
    }
    if (!take(column, field.key)) continue
    const isKey = externalId !== null && programs.field(externalId)?.key === field.key
    if (!isKey && !access.canEditField(object, field.key))
      say(column, `${column} can be read but not changed by ${access.user}. Remove the column.`)
    if (target !== undefined) {
      const problem = targetProblem(column, field, [target, ...more], { present, access })
      if (problem !== null) say(column, problem)
    }
  }
  const key = keyProblem({ columns, operation, externalId }, programs, access)
  if (key !== null) problems.push({ column: externalId ?? idColumn, message: key })
  return problems
}

function keyProblem(
  { columns, operation, externalId }: Omit<ColumnJob, 'object' | 'fields'>,
  programs: ObjectPrograms,
  access: RecordAccess,
): string | null {
  const { object } = programs
  if (externalId === null) {
    if (operation === 'upsert')
      return 'A job with "operation": "upsert" needs an "externalId": a unique field.'
    if (operation === 'insert' || columns.includes(idColumn)) return null
    return `A job with "operation": "${operation}" needs a column "id", or an "externalId".`
  }
  if (operation === 'insert')
    return 'A job with "operation": "insert" cannot have an "externalId". Use "upsert", or leave it out.'
  const field = programs.field(externalId)
  if (field === undefined || !field.unique || !access.canReadField(object, field.key))
    return `externalId: ${object} has no unique field "${externalId}".`
  const names = [field.key, ...field.aliases]
  return columns.some((column) => column !== null && names.includes(column))
    ? null
    : `The column "${externalId}" of "externalId" is missing.`
}

function targetProblem(
  column: string,
  { key, type, references }: ObjectField,
  target: readonly string[],
  { present, access }: ColumnCaller,
): string | null {
  if (type !== 'reference') return `${column}: ${key} is not a reference. Name the column "${key}".`
  const [name = ''] = target
  const unique = target.length === 1 ? objectPrograms(present.view, references!)?.field(name) : undefined
  if (unique === undefined || !unique.unique || !access.canReadField(references!, unique.key))
    return `${column}: ${references} has no unique field "${target.join('.')}".`
  return null
}

const isShown = (access: RecordAccess, object: string, { key }: ObjectField): boolean =>
  access.canReadField(object, key) || access.canEditField(object, key)

const shownFields = ({ object, body }: ObjectPrograms, access: RecordAccess): string[] =>
  body.fields.filter((field) => isShown(access, object, field)).map(({ key }) => key)

const unknownField = (object: string, name: string, known: readonly string[]): string =>
  `${object} has no field "${name}".${didYouMean(name, [...known])}`

const otherField = (object: string, column: string): string =>
  `"${column}" is a different field of ${object} than when the job was closed. Load the rest in a new job, with the columns as they are named now.`

const sameField = (one: string, other: string): string =>
  `The columns "${one}" and "${other}" are the same field. Remove one of them.`

type Cell = (value: unknown) => unknown

function itemReader(columns: readonly IngestColumn[], programs: ObjectPrograms): IngestColumns['itemOf'] {
  const places = columns.flatMap((column, index) => {
    if (column === null) return []
    const [name = '', target] = column.split('.')
    const { type } = programs.field(name) ?? {}
    const read = type === undefined ? undefined : readers[type]?.(column)
    return [{ index, column, name, read: target === undefined ? (read ?? asSent) : targetReader(target) }]
  })
  return (row) => {
    const fields: Record<string, unknown> = {}
    let id: string | undefined
    for (const { index, column, name, read } of places) {
      if ('members' in row && !Object.hasOwn(row.members, column)) continue
      const value = 'members' in row ? row.members[column] : row.cells[index]
      if (name === idColumn) id = idOf(value)
      else fields[name] = read(value)
    }
    return { ...(id === undefined ? {} : { id }), fields }
  }
}

const targetReader =
  (target: string): Cell =>
  (value) =>
    value === null ? null : { [target]: value }

const asSent: Cell = (value) => value

const booleanOf: Cell = (value) => (value === 'true' ? true : value === 'false' ? false : value)

/** Which fields a job uses is known from its columns, so a member cannot name another one. */
const referenceReader =
  (column: string): Cell =>
  (value) => {
    if (typeof value !== 'object' || value === null) return value
    throw unreadable(
      `"${column}" must be an id. For a reference by a unique field, name a column such as "${column}.code".`,
    )
  }

const readers: Partial<Record<ObjectField['type'], (column: string) => Cell>> = {
  boolean: () => booleanOf,
  reference: referenceReader,
}

function idOf(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw unreadable('"id" must be the id of a record, as text.')
}

const unreadable = (message: string): AlmanacError => new AlmanacError('ingest.row', message)
