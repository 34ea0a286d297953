// Detects from the rows whether an end is the last day that is included or the first that is not.
import type { CivilDate } from '../dates/civil-date.ts'
import { afterLastDay } from './cell.ts'
import { readDate, type DateFormat } from './date-formats.ts'
import { ColumnIndex, type Table, type TableRow } from './table.ts'

/** Compares consecutive rows of each key and scope: the next row starts on the end, or on the day after it. */
export function detectEndConvention(
  table: Table,
  key: readonly unknown[],
  from: string,
  to: string,
  form: (column: string) => DateFormat,
): 'inclusive' | 'exclusive' | null {
  const columns = new ColumnIndex(table)
  const ranges = new Map<string, [CivilDate, CivilDate | null][]>()
  const day = (row: TableRow, column: string): CivilDate | null => {
    const read = readDate(columns.cell(row, column), form(column))
    return read.ok ? read.value : null
  }
  for (const row of table.rows) {
    const start = day(row, from)
    if (start === null) continue
    const name = key.map((each) => (typeof each === 'string' ? columns.cell(row, each) : '')).join('\n')
    const known = ranges.get(name)
    const range: [CivilDate, CivilDate | null] = [start, day(row, to)]
    if (known === undefined) ranges.set(name, [range])
    else known.push(range)
  }
  const votes = { inclusive: 0, exclusive: 0 }
  for (const rows of ranges.values()) {
    rows.sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [at, [, end]] of rows.entries()) {
      const next = rows[at + 1]?.[0]
      if (end === null || next === undefined) continue
      if (next === end) votes.exclusive += 1
      else if (next === afterLastDay(end)) votes.inclusive += 1
    }
  }
  if (votes.inclusive === votes.exclusive) return null
  return votes.inclusive > votes.exclusive ? 'inclusive' : 'exclusive'
}
