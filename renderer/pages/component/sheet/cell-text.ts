// What a cell shows and copies, and how a typed or pasted text is interpreted. A text that does not fit the type stays
// as typed.
import { dayFault, endAfter, lastDay, scopeWords } from '../../../text/words.ts'
import type { JsonObject } from '../../../api/wire.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { parseScope, scopeKinds, scopeProperty, type ScopeKind } from '#kernel/components/scopes.ts'
import { valuesByKey } from '#kernel/components/value-set/members.ts'
import { civilDateReadings, parseCivilDate, type CivilDate } from '#kernel/dates/civil-date.ts'
import { normaliseNumber, toPlainNumber } from '#kernel/decimal/decimal.ts'
import { readDate } from '#kernel/import/date-formats.ts'
import type { CellValue, SheetColumn } from './columns.ts'

/** The information that a cell needs in addition to its column. */
export interface CellContext {
  /** A value set by key; undefined until it is loaded. The same object as long as its content is the same. */
  valueSet: (key: string) => ComponentOf<'value_set'> | undefined
  scopes: readonly ScopeKind[]
  /** Whether a value of a value set is chosen by its label, for people who do not know the keys. */
  offersLabels?: boolean
}

export interface ParsedCell {
  value: CellValue
  /** How the text was interpreted, if that is a different text. */
  readAs?: string
}

/** The text in the sheet; empty if none exists. */
export function formatCell(column: SheetColumn, value: CellValue): string {
  if (column.kind === 'last') return isEnd(value) ? lastDay(value) : asTyped(value)
  if (value === undefined || value === null) return ''
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (column.type === 'number' && typeof value === 'string') return shownNumber(column, value)
  if (column.kind === 'scope' && isScope(value)) return scopeWords(value as never)
  return asTyped(value)
}

/** The text for the clipboard, which is read back as the same value here and in a spreadsheet. */
export function formatCellForClipboard(column: SheetColumn, value: CellValue): string {
  if (value === true) return 'TRUE'
  if (value === false) return 'FALSE'
  const shown = formatCell(column, value)
  return column.kind === 'last' && shown === 'open' ? '' : shown
}

/** The text with which an editor opens: as typed, not as shown. */
export function editedText(column: SheetColumn, value: CellValue): string {
  if (column.kind === 'last') return value == null ? '' : isEnd(value) ? lastDay(value) : asTyped(value)
  if (column.kind === 'scope') return formatCell(column, value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return asTyped(value)
}

/** Interprets a text in a column. `order` decides days that can be read in two ways; without it they stay as typed. */
export function parseCell(
  column: SheetColumn,
  text: string,
  context: CellContext,
  order: DateOrder | null = null,
): ParsedCell {
  const trimmed = text.trim()
  if (trimmed === '' && column.type !== 'text')
    return { value: column.path.at(-1) === 'effectiveTo' ? null : undefined }
  switch (column.type) {
    case 'text':
      return { value: text === '' ? undefined : text }
    case 'number':
      return toParsedCell(trimmed, toPlainNumber(trimmed))
    case 'date':
      return readDay(column, trimmed, order)
    case 'boolean':
      return { value: booleans[trimmed.toLowerCase()] ?? trimmed }
    case 'enum':
      return readMember(column, trimmed, context)
    case 'credential_reference':
      return { value: trimmed }
    case 'scope':
      return { value: (parseScope(trimmed) as JsonObject | null) ?? trimmed }
    case 'rank':
      return { value: /^-?\d{1,7}$/.test(trimmed) ? Number(trimmed) : trimmed }
  }
}

export type DateOrder = 'DD/MM/YYYY' | 'MM/DD/YYYY'

/** The two days that a text can mean, first day-first, then month-first; null if it is not ambiguous. */
export function ambiguousDays(text: string): [CivilDate, CivilDate] | null {
  const [dayFirst, monthFirst] = civilDateReadings(text)
  return dayFirst === undefined || monthFirst === undefined ? null : [dayFirst, monthFirst]
}

/** The only order of day and month that fits all of a column's numeric days; null if neither or both fit. */
export function dateOrderOf(texts: Iterable<string>): DateOrder | null {
  const slashed = [...texts]
    .map((text) => text.trim())
    .filter((text) => /^\d{1,2}([/-])\d{1,2}\1\d{4}$/.test(text))
    .map((text) => text.replaceAll('-', '/'))
  const allowed = (['DD/MM/YYYY', 'MM/DD/YYYY'] as const).filter((order) =>
    slashed.every((text) => readDate(text, order).ok),
  )
  return slashed.length > 0 && allowed.length === 1 ? allowed[0]! : null
}

const booleans: Readonly<Record<string, boolean>> = {
  yes: true,
  y: true,
  true: true,
  on: true,
  '1': true,
  no: false,
  n: false,
  false: false,
  off: false,
  '0': false,
}

function readDay(column: SheetColumn, text: string, order: DateOrder | null): ParsedCell {
  if (column.path.at(-1) === 'effectiveTo' && text.toLowerCase() === 'open') return { value: null }
  const day = dayIn(text, order)
  if (day === null) return { value: text }
  const value = column.kind === 'last' ? endAfter(day) : day
  if (value === null) return { value: text }
  return day === text ? { value } : { value, readAs: day }
}

function dayIn(text: string, order: DateOrder | null): CivilDate | null {
  const plain = parseCivilDate(text)
  if (plain !== null) return plain
  const [dayFirst, monthFirst] = civilDateReadings(text)
  if (dayFirst === undefined) return null
  if (monthFirst === undefined) return dayFirst
  if (order === null) return null
  return order === 'DD/MM/YYYY' ? dayFirst : monthFirst
}

function readMember(column: SheetColumn, text: string, { valueSet }: CellContext): ParsedCell {
  const set = column.valueSet === undefined ? undefined : valueSet(column.valueSet)
  const known = set === undefined ? undefined : valuesByKey(set)
  if (known === undefined || known.has(text)) return { value: text }
  const needle = text.toLowerCase()
  const fitting = [...known.values()].filter(
    ({ key, label }) => key.toLowerCase() === needle || label.toLowerCase() === needle,
  )
  const active = fitting.filter((each) => each.active)
  const [member, other] = active.length > 0 ? active : fitting
  return member !== undefined && other === undefined ? toParsedCell(text, member.key) : { value: text }
}

function toParsedCell(text: string, value: string | null): ParsedCell {
  if (value === null) return { value: text }
  return value === text ? { value } : { value, readAs: value }
}

function shownNumber({ precision, scale }: SheetColumn, value: string): string {
  if (precision === undefined || scale === undefined) return value
  const normal = normaliseNumber(value, precision, scale)
  return normal.ok ? normal.text : value
}

function isEnd(value: CellValue): value is string | null | undefined {
  return value == null || (typeof value === 'string' && dayFault(value) === null)
}

function isScope(value: CellValue): boolean {
  const kind = (value as { kind?: unknown } | null)?.kind as ScopeKind
  if (!scopeKinds.includes(kind)) return false
  const property = scopeProperty[kind]
  return property === null || typeof (value as JsonObject)[property] === 'string'
}

function asTyped(value: CellValue): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
