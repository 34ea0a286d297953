// Recovers the rows of a table whose quotes do not match: a bad row is one bad row, and the next line is read again.
import type { TableRow } from '#kernel/import/index.ts'

const strayQuote =
  'a quote is not closed, or is inside a text without quotes. Close it; inside quotes, write it twice.'

interface ReadRecord {
  cells: string[]
  /** The start of the next record; null if a quote does not fit after the cells so far. */
  end: number | null
}

/** Every row, including the header; one with a stray quote has a `fault`, and the cells before it. */
export function recoverRows(text: string, delimiter: string): TableRow[] {
  const rows: TableRow[] = []
  // A title above the table has fewer cells than its rows.
  let widest = 0
  let line = 1
  for (let at = 0; at < text.length;) {
    const { cells, end } = recordAt(text, at, delimiter)
    const nextLine = lineEnd(text, at)
    const swallows = end !== null && end > nextLine && rows.length > 0 && swallowsRow(widest)
    if (end === null || swallows) rows.push({ line, cells: swallows ? [] : cells, fault: strayQuote })
    else if (!isBlank(cells)) rows.push({ line, cells })
    if (end !== null && !swallows) widest = Math.max(widest, cells.length)
    const next = end === null || swallows ? nextLine : end
    line += breaksIn(text.slice(at, next))
    at = next

    /**
     * Whether an open quote included the following rows in its text: the record is then not a row, and the line after
     * it is.
     */
    function swallowsRow(width: number): boolean {
      const after = recordAt(text, nextLine, delimiter)
      return cells.length !== width && after.end !== null && after.cells.length === width
    }
  }
  return rows
}

function recordAt(text: string, start: number, delimiter: string): ReadRecord {
  const cells: string[] = []
  for (let at = start; ; at += delimiter.length) {
    const quoted = text[at] === '"'
    const end = quoted ? closingQuote(text, at) : plainEnd(text, at, delimiter)
    if (end === null) return { cells, end: null }
    cells.push(quoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end))
    at = end
    if (at >= text.length || text[at] === '\n' || text[at] === '\r') return { cells, end: lineEnd(text, at) }
    if (!text.startsWith(delimiter, at)) return { cells: cells.slice(0, -1), end: null }
  }
}

/** The position after the closing quote; null if it is missing. */
function closingQuote(text: string, opening: number): number | null {
  for (let at = opening + 1; ; at += 2) {
    at = text.indexOf('"', at)
    if (at < 0) return null
    if (text[at + 1] !== '"') return at + 1
  }
}

/** Null if the cell contains a quote. */
function plainEnd(text: string, start: number, delimiter: string): number | null {
  let at = start
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r' && !text.startsWith(delimiter, at)) {
    if (text[at] === '"') return null
    at += 1
  }
  return at
}

/** The start of the next line. */
function lineEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at += 1
  return text.startsWith('\r\n', at) ? at + 2 : Math.min(at + 1, text.length)
}

/** A line break of any kind counts once. */
export function breaksIn(text: string): number {
  return text.split(/\r\n|\n|\r/).length - 1
}

/** Whether no cell of a row contains text; such a row does not count as a row. */
export const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')
