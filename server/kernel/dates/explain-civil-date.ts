/** Explains why a text is not a date, and what to write instead if that is certain. */
import { explainCalendarDay, formatIsoDate, MONTHS, type YearMonthDay } from './calendar.ts'

/**
 * Returns null if the text is a date `YYYY-MM-DD`; otherwise one sentence without its final period that names the text
 * and the fix. A date is suggested only if the order of day and month is certain.
 */
export function explainCivilDate(text: string): string | null {
  const iso = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text)
  if (iso !== null) {
    const fault = explainCalendarDay(Number(iso[1]), Number(iso[2]), Number(iso[3]))
    return fault === null ? null : `${text} is not a date: ${fault}`
  }
  const trimmed = text.trim()
  if (trimmed === '') return 'a date is missing: write it as 2025-12-31'
  const candidates = readings(trimmed)
  const [first] = candidates
  const subject = nameText(trimmed, first !== undefined)
  if (first === undefined) return `${subject} is not a date: write it as 2025-12-31`
  const real = candidates.filter(({ year, month, day }) => explainCalendarDay(year, month, day) === null)
  if (real.length === 0)
    return `${subject} is not a date: ${explainCalendarDay(first.year, first.month, first.day)}`
  if (trimmed !== text && explainCivilDate(trimmed) === null)
    return `${trimmed} has spaces around it: write ${trimmed}`
  const suggestions = [...new Set(real.map(({ year, month, day }) => formatIsoDate(year, month, day)))]
  if (suggestions.length > 1) return `${subject} can be read in two ways: write ${suggestions.join(' or ')}`
  return `${subject} ${WITH_TIME.test(trimmed) ? 'has a time' : 'is not ISO 8601'}: write ${suggestions[0]}`
}

/** Quotes a text that does not look like a date, and one that a capital at the start of a sentence would change. */
function nameText(text: string, isReadable: boolean): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return /^[0-9]/.test(text) || (isReadable && /^[A-Z]/.test(text)) ? short : `"${short}"`
}

/** Returns every date that a text in any common form can mean, as `YYYY-MM-DD`. */
export function isoReadings(text: string): string[] {
  const real = readings(text.trim()).filter(
    ({ year, month, day }) => explainCalendarDay(year, month, day) === null,
  )
  return [...new Set(real.map(({ year, month, day }) => formatIsoDate(year, month, day)))]
}

type Reading = (match: RegExpExecArray) => YearMonthDay[]

const yearFirst: Reading = (m) => [{ year: Number(m[1]), month: Number(m[2]), day: Number(m[3]) }]
const dayFirst: Reading = (m) => [{ year: Number(m[3]), month: Number(m[2]), day: Number(m[1]) }]
const eitherFirst: Reading = (m) => [
  ...dayFirst(m),
  { year: Number(m[3]), month: Number(m[1]), day: Number(m[2]) },
]

const WITH_TIME = /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})[Tt ][0-9:.,]+(?:[Zz]|[+-][0-9:]+)?$/

/** Common date formats, each with all possible readings. A two-digit year is never guessed. */
const DATE_PATTERNS: readonly (readonly [RegExp, Reading])[] = [
  [/^([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})$/, yearFirst],
  [/^([0-9]{4})([0-9]{2})([0-9]{2})$/, yearFirst],
  // The day is the written one, for any time and offset.
  [WITH_TIME, yearFirst],
  [/^([0-9]{1,2})\.\s?([0-9]{1,2})\.\s?([0-9]{4})$/, dayFirst],
  [/^([0-9]{1,2})[/-]([0-9]{1,2})[/-]([0-9]{4})$/, eitherFirst],
  [/^([0-9]{1,2})\.?[ -]([A-Za-z]{3,9})\.?,?[ -]([0-9]{4})$/, (m) => namedMonthReadings(m[3], m[2], m[1])],
  [/^([A-Za-z]{3,9})\.? ([0-9]{1,2}),? ([0-9]{4})$/, (m) => namedMonthReadings(m[3], m[1], m[2])],
]

function readings(text: string): YearMonthDay[] {
  for (const [pattern, reading] of DATE_PATTERNS) {
    const match = pattern.exec(text)
    if (match !== null) return reading(match)
  }
  return []
}

function namedMonthReadings(year = '', name = '', day = ''): YearMonthDay[] {
  const month = MONTHS.findIndex((full) => full.toLowerCase().startsWith(name.toLowerCase())) + 1
  return month === 0 ? [] : [{ year: Number(year), month, day: Number(day) }]
}
