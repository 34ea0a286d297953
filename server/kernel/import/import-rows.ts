// A table as the entries of one set: one row with several keys gives an entry a key; bad rows become findings.
import type { ComponentOf } from '../components/body-types.ts'
import type { ConfigField } from '../components/config-set/body.ts'
import { idOf } from '../components/component.ts'
import { normaliseBusinessKey } from '../components/config-entry/business-key.ts'
import type { FieldValue } from '../components/field-types.ts'
import { scopeText, type Scope } from '../components/scopes.ts'
import type { ComponentView } from '../components/view.ts'
import { normaliseNumber } from '../decimal/decimal.ts'
import type { CivilDate } from '../dates/civil-date.ts'
import type { FindingCode } from '../errors/finding-codes.ts'
import type { Finding } from '../errors/finding.ts'
import { didYouMean } from '../errors/suggest.ts'
import { AlmanacError } from '../errors/almanac-error.ts'
import { afterLastDay, readDate, readNumber, usesComma, type Read } from './cell.ts'
import { columnsOf, type ImportMap, type ValueColumn } from './mapping.ts'
import { markedSlug, slugOf } from './slug.ts'

type Entry = ComponentOf<'config_entry'>

export interface TableRow {
  /** Line of the file where the row begins, from 1. */
  line: number
  cells: readonly string[]
}

export interface Table {
  /** As messages name it. */
  name: string
  columns: readonly string[]
  rows: readonly TableRow[]
}

export interface ImportedRows {
  entries: Entry[]
  findings: Finding[]
  /** Distinct business keys among the entries. */
  keys: number
  /** Rows that `skip` left out. */
  skipped: number
}

/**
 * Pure. `view` is the org with what the map creates; it gives the entries that are there already, whose keys are kept.
 * A row with a fault gives findings (with its line) and no entry, and hides no other row.
 * @throws AlmanacError import.invalid where the set is missing or the map names a column that the table lacks.
 */
export function importRows(
  table: Table,
  map: ImportMap,
  set: ComponentOf<'config_set'>,
  view: ComponentView,
): ImportedRows {
  return new Importing(table, map, set, view).all()
}

interface Draft {
  line: number
  businessKey: string | null
  from: CivilDate | null
  to: CivilDate | null
  values: Record<string, FieldValue>
  label: string
}

class Importing {
  readonly #table: Table
  readonly #map: ImportMap
  readonly #set: ComponentOf<'config_set'>
  readonly #view: ComponentView
  readonly #at: ReadonlyMap<string, number>
  readonly #comma: ReadonlyMap<string, boolean>
  readonly #findings: Finding[] = []

  constructor(table: Table, map: ImportMap, set: ComponentOf<'config_set'>, view: ComponentView) {
    this.#table = table
    this.#map = map
    this.#set = set
    this.#view = view
    this.#at = new Map(table.columns.map((column, index) => [column, index]))
    this.#checkMap()
    this.#comma = this.#decimalMarks()
  }

  all(): ImportedRows {
    const drafts: Draft[] = []
    let skipped = 0
    for (const row of this.#table.rows) {
      if (row.cells.length !== this.#table.columns.length) this.#wrongWidth(row)
      else if (this.#isSkipped(row)) skipped += 1
      else drafts.push(...this.#draftsOf(row))
    }
    const entries = this.#entriesOf(this.#withoutRepeats(drafts))
    const keys = new Set(entries.map(({ body }) => body.key ?? null)).size
    return { entries, findings: this.#findings, keys, skipped }
  }

  #checkMap(): void {
    const faults: string[] = []
    for (const { column, use } of columnsOf(this.#map))
      if (!this.#at.has(column))
        faults.push(
          `"${use}" names the column "${column}", which ${this.#table.name} does not have.${didYouMean(column, this.#at.keys())}`,
        )
    const { body } = this.#set
    for (const field of Object.keys(this.#map.values))
      if (!body.fields.some(({ key }) => key === field))
        faults.push(
          `${this.#set.key} has no field "${field}".${didYouMean(
            field,
            body.fields.map(({ key }) => key),
          )}`,
        )
    if (body.cardinality === 'keyed' && this.#map.key === undefined)
      faults.push(`${this.#set.key} is keyed: the map lacks "key", the column of the key.`)
    if (body.cardinality === 'singleton' && this.#map.key !== undefined)
      faults.push(`${this.#set.key} is a singleton: the map must not have "key".`)
    if (body.effectiveDated && this.#map.from === undefined)
      faults.push(`${this.#set.key} is effective-dated: the map lacks "from", the column of the first day.`)
    if (!body.effectiveDated && (this.#map.from ?? this.#map.to) !== undefined)
      faults.push(`${this.#set.key} has no dates: the map must not have "from" or "to".`)
    if (faults.length > 0) throw new AlmanacError('import.invalid', faults.join(' '), { details: faults })
  }

  #decimalMarks(): Map<string, boolean> {
    const { decimal } = this.#map
    return new Map(
      this.#set.body.fields
        .filter(({ type }) => type === 'number')
        .map(({ key }) => [key, decimal === undefined ? usesComma(this.#cellsOf(key)) : decimal === 'comma']),
    )
  }

  *#cellsOf(field: string): Iterable<string> {
    const column = valueOf(this.#map, field)?.column
    const at = column === undefined ? undefined : this.#at.get(column)
    if (at !== undefined) for (const { cells } of this.#table.rows) yield cells[at] ?? ''
  }

  #isSkipped(row: TableRow): boolean {
    return this.#map.skip.some(({ column, is }) => is.includes(this.#cell(row, column)))
  }

  #draftsOf(row: TableRow): Draft[] {
    const before = this.#findings.length
    const keys = this.#keysOf(row)
    const from = this.#dateOf(row, this.#map.from)
    const end = this.#dateOf(row, this.#map.to)
    const to = end !== null && this.#map.toIs === 'inclusive' ? afterLastDay(end) : end
    if (this.#map.from !== undefined && this.#cell(row, this.#map.from) === '')
      this.#fault(
        row,
        this.#map.from,
        'import.date',
        'the first day is missing. Write it, or leave the row out.',
      )
    if (from !== null && to !== null && to <= from)
      this.#fault(
        row,
        this.#map.to!,
        'import.date',
        `the row ends on ${end}, on or before its first day ${from}. Correct one of the two.`,
      )
    const values = this.#valuesOf(row)
    if (this.#findings.length > before) return []
    return keys.map((businessKey) => ({
      line: row.line,
      businessKey,
      from,
      to,
      values,
      label: this.#labelOf(row, businessKey, from),
    }))
  }

  #keysOf(row: TableRow): (string | null)[] {
    const { key: column, split } = this.#map
    if (column === undefined) return [null]
    const cell = this.#cell(row, column)
    const keys = (split === undefined ? [cell] : cell.split(split))
      .map((key) => key.trim())
      .filter((key) => key !== '')
    if (keys.length === 0)
      this.#fault(row, column, 'import.key', 'the key is missing. Write it, or leave the row out.')
    const keyedBy = this.#set.body.keyedBy
    return keys.map((key) => (keyedBy === undefined ? key : normaliseBusinessKey(keyedBy, key)))
  }

  #dateOf(row: TableRow, column: string | undefined): CivilDate | null {
    const cell = column === undefined ? '' : this.#cell(row, column)
    if (cell === '') return null
    return this.#taken(row, column!, 'import.date', readDate(cell, this.#map.dates))
  }

  #valuesOf(row: TableRow): Record<string, FieldValue> {
    const values: Record<string, FieldValue> = {}
    for (const field of this.#set.body.fields) {
      const from = valueOf(this.#map, field.key)
      if (from === undefined) continue
      if (from.constant !== undefined) values[field.key] = from.constant
      else {
        const value = this.#valueOf(row, field, from)
        if (value !== null) values[field.key] = value
      }
    }
    return values
  }

  #valueOf(row: TableRow, field: ConfigField, from: ValueColumn): FieldValue {
    const written = this.#cell(row, from.column ?? '')
    const cell = written === '' && from.empty !== undefined ? from.empty : written
    if (cell === '') {
      if (field.required)
        this.#fault(
          row,
          from.column ?? '',
          'import.cell',
          `${field.key} is required and the cell is empty. Write a value, or say "empty" in the map.`,
        )
      return null
    }
    if (from.map !== undefined && !Object.hasOwn(from.map, cell)) {
      const reason = `"${cell.slice(0, 40)}" is not among the texts of "map".${didYouMean(cell, Object.keys(from.map))}`
      return this.#fault(row, from.column ?? '', 'import.cell', reason)
    }
    const read = typed(field, from.map?.[cell] ?? cell, from, this.#map, this.#comma.get(field.key) === true)
    return this.#taken(row, from.column ?? '', 'import.cell', read)
  }

  #labelOf(row: TableRow, businessKey: string | null, from: CivilDate | null): string {
    const written = this.#map.label === undefined ? '' : this.#cell(row, this.#map.label)
    return written !== ''
      ? written
      : [businessKey ?? this.#set.key, from].filter((part) => part !== null).join(' from ')
  }

  /** Of rows that say the same place, identical ones count once and contradicting ones not at all. */
  #withoutRepeats(drafts: readonly Draft[]): Draft[] {
    const byPlace = Map.groupBy(drafts, ({ businessKey, from }) => `${businessKey ?? ''}\n${from ?? ''}`)
    return [...byPlace.values()].flatMap(([first, ...others]) => {
      const contradiction = others.find((other) => !sameRow(first!, other))
      if (contradiction !== undefined) this.#repeat('error', first!, contradiction)
      else for (const other of others) this.#repeat('warning', first!, other)
      return contradiction === undefined ? [first!] : []
    })
  }

  #entriesOf(drafts: readonly Draft[]): Entry[] {
    const scope: Scope = this.#map.scope
    const slugs = new Map<string, Set<string>>()
    const exact = ({ businessKey, from }: Draft): string => `${businessKey ?? ''}\n${from ?? ''}`
    for (const draft of drafts) {
      const slug = slugOf(draft.businessKey, draft.from, scopeText(scope))
      slugs.set(slug, (slugs.get(slug) ?? new Set()).add(exact(draft)))
    }
    return drafts.map((draft) => {
      const slug = slugOf(draft.businessKey, draft.from, scopeText(scope))
      const key = this.#existing(draft, scope) ?? this.#free(slug, exact(draft), slugs.get(slug)!.size > 1)
      return entryOf(this.#set, key, draft, scope)
    })
  }

  /** The key of the entry that is there already for the key, scope and first day, whoever named it. */
  #existing({ businessKey, from }: Draft, scope: Scope): string | null {
    for (const entry of this.#view.entriesAt(this.#set.key, businessKey))
      if ((entry.body.effectiveFrom ?? null) === from && scopeText(entry.body.scope) === scopeText(scope))
        return entry.key
    return null
  }

  #free(slug: string, exact: string, shared: boolean): string {
    const plain = `${this.#set.key}.${slug}`
    // Another key's entry holds the plain slug, in the file or in the org.
    const taken = shared || this.#view.has('config_entry', plain)
    return taken ? `${this.#set.key}.${markedSlug(slug, exact)}` : plain
  }

  #cell({ cells }: TableRow, column: string): string {
    return (cells[this.#at.get(column) ?? -1] ?? '').trim()
  }

  #taken<T>(row: TableRow, column: string, code: FindingCode, read: Read<T>): T | null {
    return read.ok ? read.value : this.#fault(row, column, code, `${read.reason.replace(/\.$/, '')}.`)
  }

  #fault(
    row: TableRow,
    column: string,
    code: FindingCode,
    reason: string,
    severity: Finding['severity'] = 'error',
  ): null {
    const { name } = this.#table
    const message = `Line ${row.line} of ${name}, column ${column}: ${reason}`
    this.#findings.push({
      severity,
      code,
      component: idOf(this.#set),
      path: '',
      message,
      related: [],
      facts: { file: name, line: row.line, column },
    })
    return null
  }

  #wrongWidth(row: TableRow): void {
    const [wanted, found] = [this.#table.columns.length, row.cells.length]
    this.#fault(
      row,
      this.#table.columns[Math.min(found, wanted) - 1] ?? '',
      'import.row',
      `the row has ${found} cells and the header ${wanted}. A text with the delimiter in it stands in quotes.`,
    )
  }

  #repeat(severity: 'error' | 'warning', first: Draft, second: Draft): void {
    const what = [first.businessKey, first.from].filter((part) => part !== null).join(' from ')
    const reason =
      severity === 'error'
        ? `${what} stands on line ${first.line} already, with other values. Neither is taken: keep one of the two.`
        : `${what} stands on line ${first.line} already, just so; it is taken once.`
    this.#fault(
      { line: second.line, cells: [] },
      this.#map.key ?? this.#map.from ?? '',
      'import.repeated',
      reason,
      severity,
    )
  }
}

function valueOf(map: ImportMap, field: string): ValueColumn | undefined {
  const value = map.values[field]
  return typeof value === 'string' ? { column: value, as: 'fraction' } : value
}

function typed(
  field: ConfigField,
  text: string,
  from: ValueColumn,
  map: ImportMap,
  comma: boolean,
): Read<FieldValue> {
  if (field.type === 'date') return readDate(text, map.dates)
  if (field.type === 'boolean') {
    if (text === 'true' || text === 'false') return { ok: true, value: text === 'true' }
    return {
      ok: false,
      reason: `"${text.slice(0, 40)}" is neither true nor false. Say in "map" which texts mean which.`,
    }
  }
  if (field.type !== 'number' || field.precision === undefined || field.scale === undefined)
    return { ok: true, value: text }
  const normal = normaliseNumber(
    readNumber(text, { comma, percent: from.as === 'percent' }),
    field.precision,
    field.scale,
  )
  return normal.ok ? { ok: true, value: normal.text } : { ok: false, reason: normal.hint }
}

function sameRow(a: Draft, b: Draft): boolean {
  return a.to === b.to && JSON.stringify(a.values) === JSON.stringify(b.values)
}

function entryOf(set: ComponentOf<'config_set'>, key: string, draft: Draft, scope: Scope): Entry {
  const dates = draft.from === null ? {} : { effectiveFrom: draft.from, effectiveTo: draft.to }
  const businessKey = draft.businessKey === null ? {} : { key: draft.businessKey }
  const body = { set: set.key, ...businessKey, scope, ...dates, values: draft.values }
  return { type: 'config_entry', key, label: draft.label, body }
}
