// The date forms that files use, each with a pattern and its parts. docs/how-to/import-a-table.md lists them.
import { explainCivilDate, parseCivilDate, type CivilDate } from '../dates/civil-date.ts'
import { monthOf } from './month-names.ts'
import type { CellResult } from './cell.ts'

interface DatePattern {
  pattern: RegExp
  /** Groups of the pattern. */
  year: number
  month: number
  day: number
}

/** Some programs add midnight to a date; a text with any other time is not a date. */
const midnight = '(?:[T ]0{1,2}:00(?::00(?:\\.0+)?)?Z?)?'

const form = (pattern: string, year: number, month: number, day: number): DatePattern => ({
  pattern: new RegExp(`^${pattern}${midnight}$`, 'u'),
  year,
  month,
  day,
})

const name = '(\\p{L}{3,12})\\.?'

/** Ambiguous forms are next to each other: day-first, then month-first. */
export const datePatterns = {
  'YYYY-MM-DD': form('(\\d{4})-(\\d{1,2})-(\\d{1,2})', 1, 2, 3),
  'YYYY/MM/DD': form('(\\d{4})/(\\d{1,2})/(\\d{1,2})', 1, 2, 3),
  'DD.MM.YYYY': form('(\\d{1,2})\\. ?(\\d{1,2})\\. ?(\\d{4})', 3, 2, 1),
  'DD/MM/YYYY': form('(\\d{1,2})/(\\d{1,2})/(\\d{4})', 3, 2, 1),
  'MM/DD/YYYY': form('(\\d{1,2})/(\\d{1,2})/(\\d{4})', 3, 1, 2),
  'DD-MM-YYYY': form('(\\d{1,2})-(\\d{1,2})-(\\d{4})', 3, 2, 1),
  'DD.MM.YY': form('(\\d{1,2})\\. ?(\\d{1,2})\\. ?(\\d{2})', 3, 2, 1),
  'DD/MM/YY': form('(\\d{1,2})/(\\d{1,2})/(\\d{2})', 3, 2, 1),
  'MM/DD/YY': form('(\\d{1,2})/(\\d{1,2})/(\\d{2})', 3, 1, 2),
  'D MMM YYYY': form(`(\\d{1,2})\\.?[ -](?:de )?${name}[ -](?:de )?(\\d{4})`, 3, 2, 1),
  'MMM D, YYYY': form(`${name} (\\d{1,2}),? (\\d{4})`, 3, 1, 2),
  YYYYMMDD: form('(\\d{4})(\\d{2})(\\d{2})', 1, 2, 3),
} as const satisfies Record<string, DatePattern>

export type DateFormat = keyof typeof datePatterns

export const dateFormats = Object.keys(datePatterns) as [DateFormat, ...DateFormat[]]

/** Reads a cell as a date in one form, or returns the reason why it is not one. */
export function readDate(cell: string, format: DateFormat): CellResult<CivilDate> {
  const { pattern, year, month, day }: DatePattern = datePatterns[format]
  const match = cell.length > 40 ? null : pattern.exec(cell)
  const monthNumber = match === null ? null : monthNumberOf(match[month]!)
  if (match === null || monthNumber === null)
    return { ok: false, reason: `"${cell.slice(0, 40)}" does not have the format ${format}` }
  const iso = `${wholeYear(match[year]!)}-${monthNumber}-${match[day]!.padStart(2, '0')}`
  const date = parseCivilDate(iso)
  return date === null
    ? { ok: false, reason: explainCivilDate(iso) ?? `"${cell}" is not a date` }
    : { ok: true, value: date }
}

function monthNumberOf(text: string): string | null {
  const number = /^\d/.test(text) ? Number(text) : monthOf(text)
  return number === null ? null : String(number).padStart(2, '0')
}

/** Expands two digits as POSIX does: 69 to 99 are 1969 to 1999, 00 to 68 are 2000 to 2068. */
function wholeYear(text: string): string {
  if (text.length === 4) return text
  return `${Number(text) >= 69 ? '19' : '20'}${text}`
}
