// Turns a table into entries of one set: a row with several keys gives one entry per key; bad rows become findings.
import { appendAll } from '../append-all.ts'
import type { ComponentOf } from '../components/body-types.ts'
import type { ConfigField } from '../components/config-set/body.ts'
import { idOf } from '../components/component.ts'
import { normaliseBusinessKey } from '../components/config-entry/business-key.ts'
import type { FieldValue } from '../components/field-types.ts'
import { parseScope, scopeText, type Scope } from '../components/scopes.ts'
import type { ComponentView } from '../components/view.ts'
import type { CivilDate } from '../dates/civil-date.ts'
import type { FindingCode } from '../errors/finding-codes.ts'
import type { Finding } from '../errors/finding.ts'
import { didYouMean } from '../errors/suggest.ts'
import { afterLastDay, usesDecimalComma, type NumberFormat, type CellResult } from './cell.ts'
import { checkMap } from './check-map.ts'
import { readDate } from './date-formats.ts'
import { closeOpenEnds } from './open-ends.ts'
import { dateFormatOf, type ImportMap, type ValueColumn } from './mapping.ts'
import { nameEntries, rowKeyOf, type ImportedEntry, type ParsedRow } from './name-entries.ts'
import { ColumnIndex, type Table, type TableRow } from './table.ts'
import { parseCell } from './parse-cell.ts'

export interface ImportedRows {
  entries: ImportedEntry[]
  findings: Finding[]
  /** Distinct business keys among the entries. */
  keys: number
  /** Rows that `skip` excluded. */
  skipped: number
  /** Rows with an error, which give no entry. */
  refused: number
}

/**
 * Pure. `view` is the org with the components that the map creates; keys of its existing entries are kept. `entryAt`
 * returns the entry that a row of that place became in an earlier import.
 * A row with a fault gives findings (with its line) and no entry, and does not hide other rows.
 * @throws AlmanacError import.invalid if the map does not fit the table or the set.
 */
export function importRows(
  table: Table,
  map: ImportMap,
  set: ComponentOf<'config_set'>,
  view: ComponentView,
  known: (place: string) => string | undefined,
): ImportedRows {
  checkMap(table, map, set)
  return new RowImporter(table, map, set).run(view, known)
}

class RowImporter {
  readonly #table: Table
  readonly #map: ImportMap
  readonly #set: ComponentOf<'config_set'>
  readonly #columns: ColumnIndex
  /** The number format of each number field's column. */
  readonly #numbers: ReadonlyMap<string, Omit<NumberFormat, 'times'>>
  readonly #findings: Finding[] = []

  constructor(table: Table, map: ImportMap, set: ComponentOf<'config_set'>) {
    this.#table = table
    this.#map = map
    this.#set = set
    this.#columns = new ColumnIndex(table)
    this.#numbers = this.#numberForms()
  }

  run(view: ComponentView, entryAt: (place: string) => string | undefined): ImportedRows {
    const drafts: ParsedRow[] = []
    let skipped = 0
    for (const row of this.#table.rows) {
      if (row.fault !== undefined) this.#unread(row, row.fault)
      else if (row.cells.length !== this.#table.columns.length) this.#wrongWidth(row)
      else if (this.#isSkipped(row)) skipped += 1
      else appendAll(drafts, this.#draftsOf(row))
    }
    const once = this.#withoutRepeats(drafts)
    const rows = this.#map.ends === 'next' ? closeOpenEnds(once) : once
    const entries = nameEntries(rows, this.#set.key, view, entryAt)
    const keys = new Set(entries.map(({ entry }) => entry.body.key ?? null)).size
    return { entries, findings: this.#findings, keys, skipped, refused: this.#refused() }
  }

  #refused(): number {
    const errors = this.#findings.filter(({ severity }) => severity === 'error')
    return new Set(errors.map(({ facts }) => facts?.['line'])).size
  }

  #numberForms(): Map<string, Omit<NumberFormat, 'times'>> {
    const numbers = this.#set.body.fields.filter(({ type }) => type === 'number')
    return new Map(numbers.map(({ key }) => [key, this.#numberForm(key)]))
  }

  #numberForm(field: string): Omit<NumberFormat, 'times'> {
    const from = valueOf(this.#map, field)
    const declared = from?.decimal ?? this.#map.decimal
    if (declared !== undefined) return { comma: declared === 'comma', certain: true }
    const cells = this.#table.rows.map((row) => this.#columns.cell(row, from?.column))
    return { comma: usesDecimalComma(cells), certain: false }
  }

  #isSkipped(row: TableRow): boolean {
    return this.#map.skip.some(({ column, is }) => is.includes(this.#columns.cell(row, column)))
  }

  /** Returns no draft if the row has a fault, which is recorded. */
  #draftsOf(row: TableRow): ParsedRow[] {
    const before = this.#findings.length
    const keys = this.#keysOf(row)
    const { from, to } = this.#datesOf(row)
    const [scope, priority] = [this.#scopeOf(row), this.#priorityOf(row)]
    const values = this.#valuesOf(row)
    if (scope === null || this.#findings.length > before) return []
    return keys.map((businessKey) => {
      const label =
        this.#columns.cell(row, this.#map.label) ||
        [businessKey ?? this.#set.key, from].filter(Boolean).join(' from ')
      return { line: row.line, businessKey, from, to, scope, priority, values, label }
    })
  }

  #keysOf(row: TableRow): (string | null)[] {
    const { key: column, split } = this.#map
    if (column === undefined) return [null]
    const cell = this.#columns.cell(row, column)
    const keys = (split === undefined ? [cell] : cell.split(split))
      .map((key) => key.trim())
      .filter((key) => key !== '')
    if (keys.length === 0)
      this.#fault(row.line, column, 'import.key', 'the key is missing. Add it, or remove the row.')
    const { keyedBy } = this.#set.body
    return keys.map((key) => (keyedBy === undefined ? key : normaliseBusinessKey(keyedBy, key)))
  }

  /** An empty cell has the scope of the map. */
  #scopeOf(row: TableRow): Scope | null {
    const { scope, scopeColumn: column } = this.#map
    const cell = this.#columns.cell(row, column)
    if (cell === '') return scope
    const read = parseScope(cell)
    const reason = `"${cell.slice(0, 40)}" is not a scope. Write org, or a kind and a name, such as environment=test.`
    return read ?? this.#fault(row.line, column!, 'import.cell', reason)
  }

  #priorityOf(row: TableRow): number | null {
    const column = this.#map.priorityColumn
    const cell = this.#columns.cell(row, column)
    if (cell === '') return null
    const reason = `"${cell.slice(0, 40)}" is not a priority. Write a whole number.`
    return /^-?\d{1,7}$/.test(cell) ? Number(cell) : this.#fault(row.line, column!, 'import.cell', reason)
  }

  #datesOf(row: TableRow): { from: CivilDate | null; to: CivilDate | null } {
    const { from: fromColumn, to: toColumn, toIs } = this.#map
    const from = this.#dateOf(row, fromColumn)
    const end = this.#dateOf(row, toColumn)
    const to = end !== null && toIs === 'inclusive' ? afterLastDay(end) : end
    if (fromColumn !== undefined && this.#columns.cell(row, fromColumn) === '')
      this.#fault(row.line, fromColumn, 'import.date', 'the first day is missing. Add it, or remove the row.')
    if (from !== null && to !== null && to <= from) {
      const reason = `the range is empty: it begins on ${from} and ends on ${end}. Correct one of the dates.`
      this.#fault(row.line, toColumn!, 'import.date', reason)
    }
    return { from, to }
  }

  #dateOf(row: TableRow, column: string | undefined): CivilDate | null {
    const cell = this.#columns.cell(row, column)
    return cell === '' ? null : this.#taken(row, column!, 'import.date', this.#readDate(cell, column!))
  }

  #readDate(cell: string, column: string): CellResult<CivilDate> {
    return readDate(cell, dateFormatOf(this.#map, column))
  }

  #valuesOf(row: TableRow): Record<string, FieldValue> {
    const values: Record<string, FieldValue> = {}
    for (const field of this.#set.body.fields) {
      const from = valueOf(this.#map, field.key)
      const value = from === undefined ? null : (from.constant ?? this.#valueIn(row, field, from))
      if (value !== null) values[field.key] = value
    }
    return values
  }

  #valueIn(row: TableRow, field: ConfigField, from: ValueColumn): FieldValue {
    const column = from.column ?? ''
    const cell = this.#columns.cell(row, column) || (from.empty ?? '')
    if (cell === '') {
      const reason = `${field.key} is required, but the cell is empty. Add a value in the file, or choose how empty cells are read.`
      return field.required ? this.#fault(row.line, column, 'import.cell', reason) : null
    }
    if (from.map !== undefined && !Object.hasOwn(from.map, cell)) {
      const reason = `"${cell.slice(0, 40)}" is not listed in "map".${didYouMean(cell, Object.keys(from.map))}`
      return this.#fault(row.line, column, 'import.cell', reason)
    }
    const number = this.#numbers.get(field.key) ?? { comma: false, certain: false }
    const writtenAs = { dates: dateFormatOf(this.#map, column), number }
    return this.#taken(
      row,
      column,
      'import.cell',
      parseCell(field, from.map?.[cell] ?? cell, from, writtenAs),
    )
  }

  /** Among rows with the same place, identical ones count once and contradicting ones not at all. */
  #withoutRepeats(drafts: readonly ParsedRow[]): ParsedRow[] {
    const byPlace = Map.groupBy(drafts, rowKeyOf)
    return [...byPlace.values()].flatMap(([first, ...others]) => {
      const contradiction = others.find((other) => !sameRow(first!, other))
      if (contradiction !== undefined) this.#repeat('error', first!, contradiction)
      else for (const other of others) this.#repeat('warning', first!, other)
      return contradiction === undefined ? [first!] : []
    })
  }

  #repeat(severity: 'error' | 'warning', first: ParsedRow, second: ParsedRow): void {
    const where = first.scope.kind === 'org' ? '' : ` at ${scopeText(first.scope)}`
    const what = [first.businessKey, first.from].filter((part) => part !== null).join(' from ') + where
    const reason =
      severity === 'error'
        ? `${what} is already on line ${first.line}, with different values. Neither is imported: keep one of the two.`
        : `${what} is already on line ${first.line}, with the same values; it is imported once.`
    this.#fault(second.line, this.#map.key ?? this.#map.from ?? '', 'import.repeated', reason, severity)
  }

  #unread({ line, cells }: TableRow, reason: string): void {
    const { columns } = this.#table
    this.#fault(line, columns[Math.min(cells.length, columns.length - 1)] ?? '', 'import.row', reason)
  }

  #wrongWidth({ line, cells }: TableRow): void {
    const { columns } = this.#table
    const last = columns[Math.min(cells.length, columns.length) - 1] ?? ''
    const reason = `the row has ${cells.length} cells and the header ${columns.length}. Quote cells that contain the delimiter.`
    this.#fault(line, last, 'import.row', reason)
  }

  #taken<T>(row: TableRow, column: string, code: FindingCode, read: CellResult<T>): T | null {
    return read.ok ? read.value : this.#fault(row.line, column, code, `${read.reason.replace(/\.$/, '')}.`)
  }

  #fault(
    line: number,
    column: string,
    code: FindingCode,
    reason: string,
    severity: Finding['severity'] = 'error',
  ): null {
    const { name } = this.#table
    const message = `Line ${line} of ${name}, column ${column}: ${reason}`
    const facts = { file: name, line, column }
    this.#findings.push({ severity, code, component: idOf(this.#set), path: '', message, related: [], facts })
    return null
  }
}

function valueOf(map: ImportMap, field: string): ValueColumn | undefined {
  const value = map.values[field]
  return typeof value === 'string' ? { column: value, as: 'fraction' } : value
}

function sameRow(a: ParsedRow, b: ParsedRow): boolean {
  return a.to === b.to && a.priority === b.priority && JSON.stringify(a.values) === JSON.stringify(b.values)
}
