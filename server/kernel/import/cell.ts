// One cell as a value: dates and numbers as spreadsheets write them become the normal form, or a reason why not.
import {
  dayOf,
  explainCivilDate,
  LAST_DAY,
  nextDay,
  parseCivilDate,
  type CivilDate,
} from '../dates/civil-date.ts'
import { decimal, divide, formatDecimal, parseDecimal } from '../decimal/decimal.ts'
import type { DateFormat } from './mapping.ts'

export type Read<T> = { ok: true; value: T } | { ok: false; reason: string }

const orders: Record<DateFormat, { pattern: RegExp; year: number; month: number; day: number }> = {
  'YYYY-MM-DD': { pattern: /^(\d{4})-(\d{1,2})-(\d{1,2})$/, year: 1, month: 2, day: 3 },
  'DD.MM.YYYY': { pattern: /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, year: 3, month: 2, day: 1 },
  'DD/MM/YYYY': { pattern: /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, year: 3, month: 2, day: 1 },
  'MM/DD/YYYY': { pattern: /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, year: 3, month: 1, day: 2 },
  YYYYMMDD: { pattern: /^(\d{4})(\d{2})(\d{2})$/, year: 1, month: 2, day: 3 },
}

export function readDate(cell: string, format: DateFormat): Read<CivilDate> {
  const order = orders[format]
  const found = order.pattern.exec(cell)
  if (found === null) return { ok: false, reason: `"${cell.slice(0, 40)}" is not written as ${format}` }
  const iso = `${found[order.year]}-${found[order.month]!.padStart(2, '0')}-${found[order.day]!.padStart(2, '0')}`
  const date = parseCivilDate(iso)
  return date === null
    ? { ok: false, reason: explainCivilDate(iso) ?? `"${cell}" is no date` }
    : { ok: true, value: date }
}

/** The first day that no longer counts, from a cell that says the last that does. The last day there is ends nothing. */
export function afterLastDay(date: CivilDate): CivilDate | null {
  return dayOf(date) === LAST_DAY ? null : nextDay(date)
}

/** A plain decimal from a cell with a decimal comma, groups or a percent sign where the map says so; the cell itself otherwise. */
export function readNumber(cell: string, options: { comma: boolean; percent: boolean }): string {
  let text = options.percent ? cell.replace(/\s*%$/, '') : cell
  if (options.comma && /^-?\d{1,3}(\.\d{3})*,\d+$|^-?\d+,\d+$/.test(text))
    text = text.replaceAll('.', '').replace(',', '.')
  const number = parseDecimal(text)
  if (number === null) return options.percent && text !== cell ? text : cell
  return options.percent ? formatDecimal(divide(number, decimal('100'))) : text
}

/** Whether the numbers of a column are written with a decimal comma: some are, and none has a point. */
export function usesComma(cells: Iterable<string>): boolean {
  let comma = false
  for (const cell of cells) {
    if (/\d\.\d/.test(cell) && !cell.includes(',')) return false
    if (/\d,\d{1,2}(\D|$)|\d,\d{4,}/.test(cell)) comma = true
  }
  return comma
}
