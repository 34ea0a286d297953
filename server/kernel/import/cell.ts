// Reads one cell as a value: converts numbers as spreadsheets write them to the normal form, or returns the reason
// why it cannot.
import { dayOf, LAST_DAY, nextDay, type CivilDate } from '../dates/civil-date.ts'
import { decimal, formatDecimal, multiply, parseDecimal } from '../decimal/decimal.ts'

export type CellResult<T> = { ok: true; value: T } | { ok: false; reason: string }

/** Returns the exclusive end for a cell with the last day that is included; null for the last possible day. */
export function afterLastDay(date: CivilDate): CivilDate | null {
  return dayOf(date) === LAST_DAY ? null : nextDay(date)
}

/** How the numbers of a column are written. */
export interface NumberFormat {
  /** Whether the decimal separator is a comma instead of a point. */
  comma: boolean
  /** Whether the separator is known, so that 1,234 or 1.234 can be read as a number in the thousands. */
  certain: boolean
  /** The factor for every number, as a decimal text; a percent sign is allowed if it is 0.01. */
  times: string | null
}

export const percentFactor = '0.01'

/**
 * Converts a cell with digit groups, a decimal comma or a percent sign to a plain decimal; returns other cells
 * unchanged.
 */
export function readNumber(cell: string, { comma, certain, times }: NumberFormat): string {
  const bare = times === percentFactor ? cell.replace(/\s*%$/, '') : cell
  const text = removeGroups(bare, comma, certain)
  if (times === null) return text
  const number = parseDecimal(text)
  return number === null ? cell : formatDecimal(multiply(number, decimal(times)))
}

const groups = /^([+-]?\d{1,3})((?:[ '’\u00a0\u2009\u202f]\d{3})+)((?:[.,]\d+)?)$/

function removeGroups(cell: string, comma: boolean, certain: boolean): string {
  const spaced = groups.exec(cell)
  const text = spaced === null ? cell : spaced[1] + spaced[2]!.replace(/\D/g, '') + spaced[3]
  const unsigned = text.replace(/^\+/, '')
  if (comma) {
    if (/^-?\d{1,3}(\.\d{3})*,\d+$|^-?\d+,\d+$/.test(unsigned))
      return unsigned.replaceAll('.', '').replace(',', '.')
    return certain && /^-?\d{1,3}(\.\d{3})+$/.test(unsigned) ? unsigned.replaceAll('.', '') : text
  }
  if (/^-?\d{1,3}(,\d{3})+\.\d+$/.test(unsigned)) return unsigned.replaceAll(',', '')
  return certain && /^-?\d{1,3}(,\d{3})+$/.test(unsigned) ? unsigned.replaceAll(',', '') : text
}

/** Whether the numbers of a column use a decimal comma: some do, and none has a point. */
export function usesDecimalComma(cells: Iterable<string>): boolean {
  let comma = false
  for (const cell of cells) {
    if (/\d\.\d/.test(cell) && !cell.includes(',')) return false
    if (/\d,\d{1,2}(\D|$)|\d,\d{4,}/.test(cell)) comma = true
  }
  return comma
}
