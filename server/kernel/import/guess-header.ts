// Guesses the header row of a table: the first wide row below any title. docs/how-to/import-a-table.md describes the steps.
import { profileColumn, type ColumnType } from './columns.ts'
import type { TableRow } from './table.ts'

export interface HeaderGuess {
  /** The line of the header row; null without a header. */
  line: number | null
  /** Whether the header is the first row of the file, or missing. */
  first: boolean
  /** Whether the guess is certain. */
  certain: boolean
}

/** The maximum number of rows that are examined below the header. */
const mostBelow = 200
/** The maximum number of lines above a table, such as a title, an author, or an export date. */
const mostAbove = 30

/** Column names are texts; if a column has numbers or dates below a text, that text is its name. */
export function guessHeader(rows: readonly TableRow[]): HeaderGuess {
  const above = titleRows(rows)
  const [candidate, ...others] = rows.slice(above, above + mostBelow + 1)
  if (candidate === undefined) return { line: null, first: true, certain: true }
  const named = namesColumns(candidate, others)
  if (named.header) return { line: candidate.line, first: above === 0, certain: named.certain }
  return { line: null, first: true, certain: above === 0 && named.certain }
}

/** Counts the rows above the table: those with far fewer cells than most rows. */
function titleRows(rows: readonly TableRow[]): number {
  const filled = rows.slice(0, mostAbove + mostBelow).map(filledCells)
  const usual = [...filled].sort((a, b) => a - b)[Math.floor(filled.length / 2)] ?? 0
  const wide = Math.max(2, Math.ceil(usual * 0.6))
  const first = filled.findIndex((count) => count >= wide)
  return usual < 2 || first < 0 || first > mostAbove ? 0 : first
}

const filledCells = ({ cells }: TableRow): number => cells.filter((cell) => cell.trim() !== '').length

function namesColumns(first: TableRow, others: readonly TableRow[]): { header: boolean; certain: boolean } {
  const below = first.cells.map((_, at) => typeOf(others.map(({ cells }) => cells[at] ?? '')))
  const own = first.cells.map((cell) => typeOf([cell]))
  const isTyped = (type: ColumnType | undefined): boolean => type === 'number' || type === 'date'
  if (own.some(isTyped)) {
    // A year can be a column name; then the cells below look the same.
    const certain =
      own.some((type, at) => isTyped(type) && below[at] === type) && !own.every((type) => isTyped(type))
    return { header: false, certain }
  }
  const filled = first.cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  if (new Set(filled).size < filled.length) return { header: false, certain: false }
  return { header: true, certain: below.some(isTyped) }
}

function typeOf(cells: readonly string[]): ColumnType {
  return profileColumn('', cells).type
}
