// Reads a CSV file or a spreadsheet as a table whose rows have their line numbers: quoted line breaks count.
import { parse } from 'csv-parse/sync'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { columnName, type ImportMap, type Table, type TableRow } from '#kernel/import/index.ts'
import { decode, type Encoding } from './decode.ts'
import { guessDelimiter } from './delimiter.ts'
import { tableKind } from './file-kind.ts'
import { findLongCell } from './long-cells.ts'
import { readSpreadsheet } from './read-spreadsheet.ts'
import { breaksIn, isBlank, recoverRows } from './recover-rows.ts'
import {
  refuseLongCells,
  tableLimits,
  cellTooLongError,
  tooManyCellsError,
  tooManyColumnsError,
} from './table-limits.ts'

export interface LoadedTable extends Table {
  kind: 'csv' | 'xlsx' | 'xls'
  /** Null for a spreadsheet. */
  encoding: Encoding | null
  /** Whether the bytes prove their encoding, by a mark or by being UTF-8; otherwise it is the likeliest. */
  encodingCertain: boolean
  delimiter: string | null
  delimiterCertain: boolean
  /** The sheets of a spreadsheet. */
  sheets: string[]
  sheet: string | null
}

export type ReadOptions = Partial<Pick<ImportMap, 'encoding' | 'delimiter' | 'header' | 'sheet'>>

/** What was read of a file, before it is known whether its first row names the columns. */
type RawTable = Omit<LoadedTable, 'columns'>

/**
 * @throws AlmanacError import.invalid if the file is not a table: empty, an unclosed quote in its first line, two
 * columns with one name.
 */
export async function readTable(bytes: Uint8Array, name: string, options: ReadOptions): Promise<LoadedTable> {
  return withColumns(await readRows(bytes, name, options), options.header ?? true)
}

/** The same for a file that is text, synchronously. @throws AlmanacError import.invalid */
export function readText(bytes: Uint8Array, name: string, options: ReadOptions): LoadedTable {
  return withColumns(textRows(bytes, name, options), options.header ?? true)
}

/** Every row, including the first. @throws AlmanacError import.invalid */
export async function readRows(bytes: Uint8Array, name: string, options: ReadOptions): Promise<RawTable> {
  const kind = tableKind(bytes, name)
  if (kind === 'text') return textRows(bytes, name, options)
  const { sheets, sheet, rows } = await readSpreadsheet(bytes, kind, name, options.sheet)
  refuseLongCells(rows, name)
  return {
    ...{ name, kind, rows, sheets, sheet },
    ...{ encoding: null, encodingCertain: true, delimiter: null, delimiterCertain: true },
  }
}

/** The rows below the header. @throws AlmanacError import.invalid */
export function withColumns(raw: RawTable, header: boolean | number): LoadedTable {
  const { name, kind } = raw
  const at = headerAt(raw, header)
  const names = at === null ? null : raw.rows[at]!.cells
  const rows = at === null ? raw.rows : raw.rows.slice(at + 1)
  const width = names?.length ?? rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const columns = Array.from({ length: width }, (_, column) => names?.[column]?.trim() || columnName(column))
  const seen = new Set<string>()
  const twice = columns.find((column) => seen.size === seen.add(column).size)
  if (twice !== undefined)
    throw new AlmanacError(
      'import.invalid',
      `${name} has two columns named "${twice}". Rename one of the two, or choose a different header row.`,
    )
  // A spreadsheet omits the empty cells at the end of a row.
  if (kind !== 'csv' && rows.length * width > tableLimits.cells) throw tooManyCellsError(name)
  return { ...raw, columns, rows: kind === 'csv' ? rows : rows.map((row) => padRow(row, width)) }
}

/** Which of the rows names the columns; null if none does. @throws AlmanacError import.invalid */
function headerAt({ name, rows }: RawTable, header: boolean | number): number | null {
  const [first] = rows
  if (first === undefined)
    throw new AlmanacError('import.invalid', `${name} is empty. Its first line must name the columns.`)
  if (header === false) return null
  const at = header === true ? 0 : rows.findIndex(({ line }) => line === header)
  const row = rows[at]
  if (row === undefined)
    throw new AlmanacError(
      'import.invalid',
      `${name} has no row on line ${header}, which should name the columns. Choose a different header row.`,
    )
  if (row.fault !== undefined)
    throw new AlmanacError(
      'import.invalid',
      `${name} is not a table: on line ${row.line}, which names the columns, ${row.fault} Or choose a different delimiter.`,
    )
  return at
}

function padRow(row: TableRow, width: number): TableRow {
  const missing = width - row.cells.length
  return missing > 0 ? { ...row, cells: [...row.cells, ...Array<string>(missing).fill('')] } : row
}

function textRows(bytes: Uint8Array, name: string, options: ReadOptions): RawTable {
  const { text, encoding, certain } = decode(bytes, name, options.encoding)
  if (text.includes('\u0000'))
    throw new AlmanacError(
      'import.invalid',
      `${name} is not a text file: it contains zero bytes. Export the table as CSV.`,
    )
  const guessed = guessDelimiter(text)
  const delimiter = options.delimiter ?? guessed.delimiter
  return {
    ...{ name, kind: 'csv', rows: rowsOf(text, name, delimiter), sheets: [], sheet: null },
    ...{ encoding, encodingCertain: certain, delimiter },
    delimiterCertain: options.delimiter !== undefined || guessed.certain,
  }
}

/** @throws AlmanacError import.invalid if there are too many */
function rowsOf(text: string, name: string, delimiter: string): TableRow[] {
  if (countOf(text, delimiter) + countOf(text, '\n') + countOf(text, '\r') > tableLimits.cells)
    throw tooManyCellsError(name)
  const long = findLongCell(text, delimiter)
  if (long !== null) throw cellTooLongError(name, long.line, long.characters)
  const rows = parseRows(text, delimiter) ?? recoverRows(text, delimiter)
  const wide = rows.find(({ cells }) => cells.length > tableLimits.columns)
  if (wide !== undefined) throw tooManyColumnsError(name, wide.cells.length, wide.line)
  refuseLongCells(rows, name)
  return rows
}

/** How often a text contains a character; an upper bound of the cells that it delimits. */
function countOf(text: string, character: string): number {
  let count = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1
  return count
}

/** Null if a quote does not fit, or if one may have been left open: rows of several lines with a different width. */
function parseRows(text: string, delimiter: string): TableRow[] | null {
  let records: string[][]
  try {
    records = parse(text, { delimiter, bom: true, relax_column_count: true })
  } catch {
    return null
  }
  // A title above the table has fewer cells than its rows.
  const width = records.reduce((most, { length }) => Math.max(most, length), 0)
  let next = 1
  let odd = false
  const rows = records.flatMap((cells) => {
    const line = next
    // Counted here: the parser's own count takes a CR LF inside quotes as two.
    next += 1 + cells.reduce((breaks, cell) => breaks + breaksIn(cell), 0)
    odd ||= cells.length !== width && next > line + 1
    return isBlank(cells) ? [] : [{ line, cells }]
  })
  return odd ? null : rows
}
