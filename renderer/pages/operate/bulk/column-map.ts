// Which field each column of a file is loaded into: guessed by name, and checked before anything is sent.
import type { IngestFormat, IngestOperation } from '../../../api/ingest.ts'
import type { FieldDescription, ObjectDescription } from '../../../api/records.ts'
import { count, listWords } from '../../../text/words.ts'
import { valueFault } from '../../records/value-fault.ts'
import type { TextRow } from './csv-head.ts'

/** What a column can be loaded into. */
export interface Target {
  /** As the server names the column: a field, `customer.code`, or `id`. */
  name: string
  words: string
  /** Null for the id of the record. */
  field: FieldDescription | null
  /** The unique field of a referenced record whose values the column has. */
  through: FieldDescription | null
}

export interface JobChoice {
  object: ObjectDescription
  operation: IngestOperation
  /** Empty for none. */
  externalId: string
}

/** @param referenced the objects of references, by key */
export function targetsOf(
  { object, operation, externalId }: JobChoice,
  referenced: ReadonlyMap<string, ObjectDescription>,
): Target[] {
  const findsById = (operation === 'update' || operation === 'delete') && externalId === ''
  const id: Target[] = findsById
    ? [{ name: 'id', words: 'id of the record', field: null, through: null }]
    : []
  const fields = object.fields.filter(
    ({ key, computed, editable }) => computed === null && (editable || key === externalId),
  )
  return [
    ...id,
    ...fields.flatMap((field): Target[] => [
      { name: field.key, words: wordsOf(field), field, through: null },
      ...uniqueOf(field, referenced).map((through) => ({
        ...{ name: `${field.key}.${through.key}`, field, through },
        words: `${field.label} by ${through.label.toLowerCase()}`,
      })),
    ]),
  ]
}

const wordsOf = ({ label, type }: FieldDescription): string =>
  type === 'reference' ? `${label} by id` : label

const uniqueOf = (
  { references }: FieldDescription,
  referenced: ReadonlyMap<string, ObjectDescription>,
): FieldDescription[] =>
  references === null
    ? []
    : (referenced.get(references)?.fields.filter(({ unique, computed }) => unique && computed === null) ?? [])

/** Letters and digits alone, as names are compared. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}.]/gu, '')

const namesOf = ({ name, field, through }: Target): string[] => {
  if (field === null) return ['id']
  const own = [field.key, field.label, ...field.aliases]
  if (through === null) return [name, ...own]
  const theirs = [through.key, through.label, ...through.aliases]
  return [name, ...own.flatMap((one) => theirs.flatMap((other) => [`${one}.${other}`, `${one}${other}`]))]
}

/** The target of each column, by its name; empty for one that is not loaded. A target is taken once. */
export function guessColumns(columns: readonly string[], targets: readonly Target[]): string[] {
  const taken = new Set<string>()
  return columns.map((column) => {
    const found = targets.find(
      (target) =>
        !taken.has(fieldOf(target)) &&
        (target.name === column || namesOf(target).some((name) => plain(name) === plain(column))),
    )
    if (found === undefined || column === '') return ''
    taken.add(fieldOf(found))
    return found.name
  })
}

const fieldOf = ({ field }: Target): string => field?.key ?? 'id'

/** Members of JSON Lines have the names of fields: they cannot be mapped. */
export function memberColumns(members: readonly string[], targets: readonly Target[]): string[] {
  const known = (name: string): boolean =>
    targets.some((target) => target.name === name || target.field?.aliases.includes(name) === true)
  return members.map((name) => (known(name) ? name : ''))
}

export interface ColumnProblem {
  /** The index of the column; null for the file. */
  column: number | null
  message: string
  /** Whether rows may be fine in spite of it. */
  isWarning: boolean
}

export interface MappedFile {
  format: IngestFormat
  columns: readonly string[]
  rows: readonly TextRow[]
  /** The name of the target of each column. */
  map: readonly string[]
}

export function columnProblems(
  { object, operation, externalId }: JobChoice,
  { format, columns, rows, map }: MappedFile,
  targets: readonly Target[],
): ColumnProblem[] {
  const problems: ColumnProblem[] = []
  const say = (column: number | null, message: string, isWarning = false): void =>
    void problems.push({ column, message, isWarning })
  const chosen = map.map((name) => targetNamed(targets, name))
  for (const [at, target] of chosen.entries()) {
    if (target === null) {
      if (format === 'jsonl')
        say(at, `${object.label} has no field “${columns[at]!}” that you can change. Rename it in the file.`)
      continue
    }
    const other = chosen.findIndex((each) => each !== null && fieldOf(each) === fieldOf(target))
    if (other < at) say(at, `“${columns[other]!}” is loaded into the same field.`)
    const row = rows.find(({ cells }) => cellFault(target, cells[at] ?? '') !== null)
    if (row !== undefined) say(at, `Line ${row.line}: ${cellFault(target, row.cells[at] ?? '')!}`, true)
  }
  const odd = rows.find(({ cells }) => cells.length !== columns.length)
  if (odd !== undefined && format === 'csv')
    say(
      null,
      `Line ${odd.line} has ${count(odd.cells.length, 'cell')}, but there are ${count(columns.length, 'column')}. Such a row fails.`,
      true,
    )
  const names = chosen.flatMap((target) => (target === null ? [] : [target]))
  if (names.length === 0) say(null, 'No column is loaded. Choose a field for at least one.')
  const finds = externalId === '' ? 'id' : externalId
  const needsKey = externalId !== '' || operation === 'update' || operation === 'delete'
  if (needsKey && !names.some(({ name, field }) => name === finds || field?.key === finds))
    say(
      null,
      externalId === ''
        ? 'Choose the column with the ids of the records, or an external ID.'
        : `Choose the column with the external ID, ${externalId}.`,
    )
  const missing =
    operation === 'insert' || operation === 'upsert'
      ? object.fields.filter(
          ({ key, required, hasDefault, computed }) =>
            required && !hasDefault && computed === null && !names.some(({ field }) => field?.key === key),
        )
      : []
  if (missing.length > 0)
    say(
      null,
      `New records need ${listWords(missing.map(({ label }) => label))}, which no column has: rows for new records fail.`,
      true,
    )
  return problems
}

export const targetNamed = (targets: readonly Target[], name: string): Target | null =>
  targets.find((target) => target.name === name || target.field?.aliases.includes(name) === true) ?? null

/** Why the server would refuse a cell; null if it is fine as far as can be known here. */
function cellFault({ field, through }: Target, cell: string): string | null {
  const checked = through ?? field
  // An empty cell clears its field.
  if (checked === null || cell === '') return null
  if (checked.type === 'boolean')
    return cell === 'true' || cell === 'false' ? null : `“${cell}” is not true or false.`
  if (checked.type === 'enum')
    return checked.labels === null || Object.hasOwn(checked.labels, cell)
      ? null
      : `“${cell}” is not a value of ${checked.label}.`
  const fault = valueFault(checked, cell)
  return fault === null ? null : `“${cell.slice(0, 40)}”: ${fault}`
}
