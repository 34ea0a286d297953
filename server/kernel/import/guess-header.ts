// Whether the first row of a table names its columns (completions 7: import).
import { columnFacts, type ColumnType } from './columns.ts'
import type { TableRow } from './table.ts'

export interface GuessedHeader {
  header: boolean
  /** Whether the rows leave no doubt. */
  certain: boolean
}

/** Rows that are looked at below the first. */
const most = 200

/** Names are texts; where a column holds numbers or dates below a text, that text is a name. */
export function guessHeader(rows: readonly TableRow[]): GuessedHeader {
  const [first, ...others] = rows.slice(0, most + 1)
  if (first === undefined) return { header: true, certain: true }
  const below = first.cells.map((_, at) => typeOf(others.map(({ cells }) => cells[at] ?? '')))
  const own = first.cells.map((cell) => typeOf([cell]))
  const typed = (type: ColumnType | undefined): boolean => type === 'number' || type === 'date'
  if (own.some(typed)) {
    // A year may be a name; then nothing below looks other than it.
    const certain =
      own.some((type, at) => typed(type) && below[at] === type) && !own.every((type) => typed(type))
    return { header: false, certain }
  }
  const named = new Set(first.cells.map((cell) => cell.trim()))
  if (named.size < first.cells.length) return { header: false, certain: false }
  return { header: true, certain: below.some(typed) }
}

function typeOf(cells: readonly string[]): ColumnType {
  return columnFacts('', cells).type
}
