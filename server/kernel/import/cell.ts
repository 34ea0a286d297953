// One cell as a value: numbers as spreadsheets write them become the normal form, or a reason why not.
import { dayOf, LAST_DAY, nextDay, type CivilDate } from '../dates/civil-date.ts'
import { decimal, formatDecimal, multiply, parseDecimal } from '../decimal/decimal.ts'

export type Read<T> = { ok: true; value: T } | { ok: false; reason: string }

/** The first day that no longer counts, from a cell that says the last that does. The last day there is ends nothing. */
export function afterLastDay(date: CivilDate): CivilDate | null {
  return dayOf(date) === LAST_DAY ? null : nextDay(date)
}

/** How the numbers of a column are written. */
export interface NumberForm {
  /** Before the decimals stands a comma, or a point. */
  comma: boolean
  /** Whether that is known, so that 1,234 or 1.234 can be a number of thousands. */
  certain: boolean
  /** What every number is multiplied by, as a decimal text; a percent sign is allowed if it is 0.01. */
  times: string | null
}

export const percentTimes = '0.01'

/** A plain decimal from a cell in groups, with a decimal comma or with a percent sign; the cell itself if it is not a number. */
export function readNumber(cell: string, { comma, certain, times }: NumberForm): string {
  const bare = times === percentTimes ? cell.replace(/\s*%$/, '') : cell
  const text = ungrouped(bare, comma, certain)
  if (times === null) return text
  const number = parseDecimal(text)
  return number === null ? cell : formatDecimal(multiply(number, decimal(times)))
}

const groups = /^([+-]?\d{1,3})((?:[ '’\u00a0\u2009\u202f]\d{3})+)((?:[.,]\d+)?)$/

function ungrouped(cell: string, comma: boolean, certain: boolean): string {
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

/** Whether the numbers of a column are written with a decimal comma: some are, and none has a point. */
export function usesComma(cells: Iterable<string>): boolean {
  let comma = false
  for (const cell of cells) {
    if (/\d\.\d/.test(cell) && !cell.includes(',')) return false
    if (/\d,\d{1,2}(\D|$)|\d,\d{4,}/.test(cell)) comma = true
  }
  return comma
}
