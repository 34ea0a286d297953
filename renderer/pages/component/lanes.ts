// The rows of one business key as lanes on a time axis, with the days that are missing or counted twice.
import {
  dateOf,
  dayOf,
  parseCivilDate,
  previousDay,
  type CivilDate,
  type DayNumber,
} from '#kernel/dates/civil-date.ts'
import { findGaps, findOverlaps, type Range } from '#kernel/config/range.ts'
import type { ComponentRow } from '../../api/wire.ts'
import { longDate, scopeWords, valueWords } from '../../text/words.ts'

export interface Bar {
  row: ComponentRow
  /** Per cent of the axis. */
  left: number
  width: number
  words: string
  open: boolean
}

export interface Fault {
  kind: 'gap' | 'overlap'
  left: number
  width: number
  words: string
}

export interface Lane {
  scope: string
  bars: Bar[]
  faults: Fault[]
}

export interface Timeline {
  lanes: Lane[]
  years: { year: number; left: number }[]
  /** Per cent of the axis at which today lies; null where outside. */
  today: number | null
}

/** Lays rows out, each named by its value of `field`. Rows without a readable first day are left out; the grid shows them. */
export function layOut(rows: readonly ComponentRow[], today: string, field = ''): Timeline {
  const dated = rows.flatMap((row) => {
    const range = rangeOf(row)
    return range === null ? [] : [{ row, range }]
  })
  const now = parseCivilDate(today)
  const first = Math.min(...dated.map(({ range }) => range.from), ...(now ? [dayOf(now)] : []))
  const last = Math.max(...dated.map(({ range }) => range.to ?? range.from), ...(now ? [dayOf(now)] : []))
  if (!Number.isFinite(first)) return { lanes: [], years: [], today: null }
  const start = first - 120
  const span = last + 900 - start
  const at = (day: number): number => ((day - start) / span) * 100
  const scopes = [...new Set(dated.map(({ row }) => scopeWords(row.facts?.scope)))].sort(
    (a, b) => Number(a === 'org') - Number(b === 'org') || a.localeCompare(b),
  )
  const lanes = scopes.map((scope) =>
    laneOf(
      scope,
      dated.filter(({ row }) => scopeWords(row.facts?.scope) === scope),
      at,
      field,
    ),
  )
  return { lanes, years: yearsOf(start, span, at), today: now === null ? null : at(dayOf(now)) }
}

interface Dated {
  row: ComponentRow
  range: Range
}

function laneOf(scope: string, rows: Dated[], at: (day: number) => number, field: string): Lane {
  const sorted = [...rows].sort((a, b) => a.range.from - b.range.from)
  const bars = sorted.map(({ row, range }) => ({
    row,
    left: at(range.from),
    width: (range.to === null ? 100 : at(range.to)) - at(range.from),
    words: valueWords(row.facts?.values?.[field] ?? Object.values(row.facts?.values ?? {})[0]),
    open: range.to === null,
  }))
  return { scope, bars, faults: [...gapsOf(sorted, at), ...overlapsOf(sorted, at)] }
}

function gapsOf(rows: Dated[], at: (day: number) => number): Fault[] {
  return findGaps(rows.map(({ range }) => range)).map(({ from, to }) => ({
    kind: 'gap',
    left: at(from),
    width: at(to) - at(from),
    words: `no value ${days(from, to)}`,
  }))
}

function overlapsOf(rows: Dated[], at: (day: number) => number): Fault[] {
  return findOverlaps(rows.map(({ range }) => range)).map(([a, b]) => {
    const [one, other] = [rows[a]!.range, rows[b]!.range]
    const from = Math.max(one.from, other.from) as DayNumber
    const to = [one.to, other.to].reduce((least, end) =>
      least === null ? end : end === null ? least : end < least ? end : least,
    )
    return {
      kind: 'overlap',
      left: at(from),
      width: (to === null ? 100 : at(to)) - at(from),
      words: `two values ${days(from, to)}`,
    }
  })
}

function days(from: DayNumber, to: DayNumber | null): string {
  const first = longDate(dateOf(from))
  if (to === null) return `from ${first}`
  const last = longDate(previousDay(dateOf(to)))
  return first === last ? `on ${first}` : `from ${first} to ${last}`
}

function yearsOf(start: number, span: number, at: (day: number) => number): { year: number; left: number }[] {
  const from = Number(dateOf(start as DayNumber).slice(0, 4)) + 1
  const to = Number(dateOf((start + span) as DayNumber).slice(0, 4))
  const step = [1, 2, 5, 10, 20, 50].find((each) => (to - from) / each <= 12) ?? 100
  const years = []
  for (let year = Math.ceil(from / step) * step; year <= to; year += step)
    years.push({ year, left: at(dayOf(`${String(year).padStart(4, '0')}-01-01` as CivilDate)) })
  return years
}

function rangeOf(row: ComponentRow): Range | null {
  const from = parseCivilDate(row.facts?.effectiveFrom ?? '')
  const to = parseCivilDate(row.facts?.effectiveTo ?? '')
  if (from === null || (to !== null && to <= from)) return null
  return { from: dayOf(from), to: to === null ? null : dayOf(to) }
}
