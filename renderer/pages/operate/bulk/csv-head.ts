// The first rows of a text of CSV, as the server reads them.
import { CsvError, parse, type Info } from 'csv-parse/browser/esm/sync'

export interface TextRow {
  /** Where it begins, from 1. */
  line: number
  cells: string[]
}

export type TextRows = { rows: TextRow[] } | { fault: string }

/** @param isWhole whether the text is that of the whole file, so that its last row is complete */
export function csvHead(text: string, most: number, isWhole: boolean): TextRows {
  const rows: TextRow[] = []
  /** The parser counts CRLF within quotes as two ends of lines. */
  let countedTwice = 0
  const keep = (cells: string[], { lines }: Info): null => {
    countedTwice += endsIn(cells, /\r\n/g)
    rows.push({ line: lines - countedTwice - endsIn(cells, /\r\n|\n|\r/g), cells })
    return null
  }
  try {
    parse(text, {
      ...{ bom: true, relax_column_count: true, skip_empty_lines: true, to: most },
      record_delimiter: ['\r\n', '\n', '\r'],
      on_record: keep as never,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const fault = faultWords(error, rows.length === 0)
    if (fault !== null && (isWhole || rows.length === 0)) return { fault }
  }
  return { rows }
}

const endsIn = (cells: readonly string[], end: RegExp): number =>
  cells.reduce((sum, cell) => sum + (cell.match(end)?.length ?? 0), 0)

/** Null for a row that only fails alone. */
function faultWords({ code, lines }: CsvError & { lines?: unknown }, isFirst: boolean): string | null {
  const line = Number(lines)
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return 'A quote is never closed, so it is not known where its row ends. Look for a cell that begins with a quote and has no quote at its end.'
  return isFirst
    ? `Line ${line} cannot be read: a cell with a quote must be in quotes, and each quote within it must be doubled.`
    : null
}
