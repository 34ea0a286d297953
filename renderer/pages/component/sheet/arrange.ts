// Which rows of a sheet are shown and in which order: as the set orders them, or as the user sorts and filters.
import { compareDecimal, parseDecimal } from '#kernel/decimal/decimal.ts'
import { scopeKinds, scopeName, type Scope } from '#kernel/components/scopes.ts'
import { isObject } from '../../../widgets/widget.ts'
import { placeRows } from './place-rows.ts'
import { formatCell } from './cell-text.ts'
import { placeOf, type CellValue, type SheetColumn } from './columns.ts'
import type { Sheet } from './sheet.ts'
import type { RowId } from './sheet-rows.ts'

export interface Sort {
  column: string
  down: boolean
}

export type RowState = 'changed' | 'added' | 'removed' | 'fault'

export type Filter =
  /** Matches one of these texts, as displayed. */
  | { column: string; kind: 'any'; values: string[] }
  | { column: string; kind: 'contains'; text: string }
  /** Matches values from `least` to `most`, as numbers or dates; either can be empty. */
  | { column: string; kind: 'between'; least: string; most: string }
  | { column: string; kind: 'blank' | 'filled' }
  /** Matches the state of the row: how it is drafted, or whether it has findings. */
  | { column: 'state'; kind: 'state'; states: RowState[] }

export interface Arrangement {
  sorts: readonly Sort[]
  filters: readonly Filter[]
  /** Words that must all occur in the row. */
  words: string
}

export interface ArrangeDeps {
  sheet: Sheet
  columns: readonly SheetColumn[]
  /** The visible columns; words are searched only in visible text. */
  shown: readonly SheetColumn[]
  /** Stays the same object as long as the text of rows without a draft does not change. */
  textCacheKey: object
  /** Rows added in this window, each with the row after which it was added. */
  insertedAfter: ReadonlyMap<RowId, RowId | null>
  hasFault: (row: RowId) => boolean
  /** The text next to a value: the label of a key. */
  more: (column: SheetColumn, value: CellValue) => string
}

export function arrangeRows(deps: ArrangeDeps, { sorts, filters, words }: Arrangement): RowId[] {
  const rows = sortedRows(deps, naturalRows(deps), sorts)
  const terms = words.trim().toLowerCase().split(/\s+/).filter(Boolean)
  const tests = filters.flatMap((filter) => {
    const test = testOf(deps, filter)
    return test === null ? [] : [test]
  })
  if (terms.length > 0)
    tests.push((row) => {
      const text = textOf(deps, row)
      return terms.every((word) => text.includes(word))
    })
  return tests.length === 0 ? rows : rows.filter((row) => tests.every((test) => test(row)))
}

/** The distinct texts of a column with their row counts, at most `limit`; if there are more, the most frequent. */
export function distinctTexts(
  { sheet }: Pick<ArrangeDeps, 'sheet'>,
  column: SheetColumn,
  limit: number,
): { texts: { text: string; rows: number }[]; more: number } {
  const place = placeOf(column)
  const counts = new Map<string, number>()
  for (const row of allRows(sheet)) {
    const text = formatCell(column, sheet.value(row, place))
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const textCounts = [...counts].map(([text, rows]) => ({ text, rows }))
  const kept =
    textCounts.length <= limit ? textCounts : textCounts.sort((a, b) => b.rows - a.rows).slice(0, limit)
  return { texts: kept.sort((a, b) => compareTexts(a.text, b.text)), more: textCounts.length - kept.length }
}

function* allRows(sheet: Sheet): Iterable<RowId> {
  yield* sheet.base.all()
  yield* sheet.addedRows()
}

/** Active rows in the order they were loaded, which is that of `compareRows`, with each added row in its place. */
function naturalRows({ sheet, columns, insertedAfter }: ArrangeDeps): RowId[] {
  const active = [...sheet.base.all()]
  const added = sheet.addedRows()
  if (added.length === 0) return active
  const keyType = columns.find(({ kind }) => kind === 'key')?.type ?? null
  const loose = added
    .filter((row) => !insertedAfter.has(row))
    .sort((a, b) => compareRows(sheet, a, b, keyType))
  const places = new Map(loose.map((row) => [row, placeIn(sheet, row, keyType)]))
  const first = loose.filter((row) => places.get(row) === BEFORE_ALL)
  return placeRows(
    [...first, ...active],
    added.filter((row) => !first.includes(row)),
    new Map([...insertedAfter, ...places]),
  )
}

const BEFORE_ALL: RowId = Number.NEGATIVE_INFINITY

/** The active row after which an added one belongs. */
function placeIn(sheet: Sheet, row: RowId, keyType: string | null): RowId {
  let [low, high] = [0, sheet.base.size]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareRows(sheet, middle, row, keyType) <= 0) low = middle + 1
    else high = middle
  }
  return low === 0 ? BEFORE_ALL : low - 1
}

/** Compares by key, then scope chain, then latest first, as the server orders active rows. */
function compareRows(sheet: Sheet, a: RowId, b: RowId, keyType: string | null): number {
  const of = (row: RowId, place: string): CellValue =>
    row >= 0 ? sheet.base.value(row, place) : sheet.value(row, place)
  const text = (value: CellValue): string => (typeof value === 'string' ? value : '')
  const [keyA, keyB] = [text(of(a, 'body/key')), text(of(b, 'body/key'))]
  const [numberA, numberB] = keyType === 'number' ? [parseDecimal(keyA), parseDecimal(keyB)] : [null, null]
  const byKey = numberA && numberB ? compareDecimal(numberA, numberB) : compareCodes(keyA, keyB)
  if (byKey !== 0) return byKey
  const byScope = compareScopes(of(a, 'body/scope'), of(b, 'body/scope'))
  return byScope || compareCodes(text(of(b, 'body/effectiveFrom')), text(of(a, 'body/effectiveFrom')))
}

function compareScopes(a: CellValue, b: CellValue): number {
  if (!isObject(a) || !isObject(b)) return Number(isObject(b)) - Number(isObject(a))
  const [one, other] = [a as unknown as Scope, b as unknown as Scope]
  const byKind = scopeKinds.indexOf(one.kind) - scopeKinds.indexOf(other.kind)
  return byKind || compareCodes(scopeName(one) ?? '', scopeName(other) ?? '')
}

const compareCodes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const compareTexts = (a: string, b: string): number =>
  compareCodes(a.toLowerCase(), b.toLowerCase()) || compareCodes(a, b)

function sortedRows({ sheet, columns }: ArrangeDeps, rows: RowId[], sorts: readonly Sort[]): RowId[] {
  const keys = sorts.flatMap(({ column, down }) => {
    const of = columns.find(({ id }) => id === column)
    return of === undefined ? [] : [{ ...sortKeys(sheet, of, rows), down }]
  })
  if (keys.length === 0) return rows
  const at = rows.map((_, index) => index)
  at.sort((a, b) => {
    for (const { blank, compare, down } of keys) {
      // Blanks come last in both directions.
      const byBlank = Number(blank(a)) - Number(blank(b))
      const order = byBlank || (down ? compare(b, a) : compare(a, b))
      if (order !== 0) return order
    }
    return a - b
  })
  return at.map((index) => rows[index]!)
}

interface SortKeys {
  blank: (at: number) => boolean
  compare: (a: number, b: number) => number
}

function sortKeys(sheet: Sheet, column: SheetColumn, rows: readonly RowId[]): SortKeys {
  const place = placeOf(column)
  const texts = rows.map((row) => sortText(column, sheet.value(row, place)))
  if (column.type !== 'number' && column.type !== 'rank')
    return { blank: (at) => texts[at] === '', compare: (a, b) => compareTexts(texts[a]!, texts[b]!) }
  // Binary numbers order the values that they can distinguish; exact decimals decide the rest.
  const numbers = Float64Array.from(texts, (text) => (text === '' ? NaN : Number(text)))
  const exact = (a: number, b: number): number => {
    const [one, other] = [parseDecimal(texts[a]!), parseDecimal(texts[b]!)]
    return one && other ? compareDecimal(one, other) : compareCodes(texts[a]!, texts[b]!)
  }
  return {
    blank: (at) => Number.isNaN(numbers[at]!),
    compare: (a, b) => Math.sign(numbers[a]! - numbers[b]!) || (texts[a] === texts[b] ? 0 : exact(a, b)),
  }
}

function sortText(column: SheetColumn, value: CellValue): string {
  // An open end comes after every date.
  if (column.path.at(-1) === 'effectiveTo') return value == null ? '9999-99-99' : asText(value)
  return column.type === 'number' || column.type === 'date' ? asText(value) : formatCell(column, value)
}

const asText = (value: CellValue): string =>
  typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value)

type Test = (row: RowId) => boolean

function testOf(deps: ArrangeDeps, filter: Filter): Test | null {
  if (filter.kind === 'state') return stateTest(deps, filter.states)
  const { sheet, columns } = deps
  const column = columns.find(({ id }) => id === filter.column)
  if (column === undefined) return null
  const place = placeOf(column)
  const rowText = (row: RowId): string => formatCell(column, sheet.value(row, place))
  switch (filter.kind) {
    case 'any': {
      const values = new Set(filter.values)
      return (row) => values.has(rowText(row))
    }
    case 'contains': {
      const text = filter.text.toLowerCase()
      return (row) => rowText(row).toLowerCase().includes(text)
    }
    case 'blank':
      return (row) => rowText(row) === ''
    case 'filled':
      return (row) => rowText(row) !== ''
    case 'between':
      return betweenTest(column, filter, rowText)
  }
}

function stateTest({ sheet, hasFault }: ArrangeDeps, states: readonly RowState[]): Test {
  const stateSet = new Set<string>(states)
  return (row) => {
    const kind = sheet.editOf(row)?.kind
    return (
      (kind !== undefined && stateSet.has(kind === 'unread' ? 'fault' : kind)) ||
      (stateSet.has('fault') && hasFault(row))
    )
  }
}

function betweenTest(
  column: SheetColumn,
  { least, most }: { least: string; most: string },
  rowText: (row: RowId) => string,
): Test {
  if (column.type !== 'number')
    return (row) => {
      const text = rowText(row)
      const day = text === 'open' ? '9999-12-31' : text
      return text !== '' && (least === '' || day >= least) && (most === '' || day <= most)
    }
  const [low, high] = [parseDecimal(least), parseDecimal(most)]
  return (row) => {
    const value = parseDecimal(rowText(row))
    if (value === null) return false
    return (
      (low === null || compareDecimal(value, low) >= 0) && (high === null || compareDecimal(value, high) <= 0)
    )
  }
}

const texts = new WeakMap<object, string[]>()

/** All displayed text of a row in lower case; cached for active rows without a draft. */
function textOf(deps: ArrangeDeps, row: RowId): string {
  const { sheet, textCacheKey } = deps
  if (row < 0 || sheet.editOf(row) !== undefined) return madeText(deps, row)
  let known = texts.get(textCacheKey)
  if (known === undefined) texts.set(textCacheKey, (known = []))
  return (known[row] ??= madeText(deps, row))
}

function madeText({ sheet, shown, more }: ArrangeDeps, row: RowId): string {
  const words = shown.map((column) => {
    const value = sheet.value(row, placeOf(column))
    return `${formatCell(column, value)} ${more(column, value)}`
  })
  return words.join(' ').toLowerCase()
}
