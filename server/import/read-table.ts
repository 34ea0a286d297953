// A CSV file or a spreadsheet as a table whose rows know their lines: quoted line breaks count (completions 7: import).
import { parse } from 'csv-parse/sync'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { columnName, type ImportMap, type Table, type TableRow } from '#kernel/import/index.ts'
import { decode, type Encoding } from './decode.ts'
import { guessDelimiter } from './delimiter.ts'
import { tableKind } from './file-kind.ts'
import { readSpreadsheet } from './read-spreadsheet.ts'
import { breaksIn, rescueRows } from './rescue-rows.ts'

export interface ReadTable extends Table {
  kind: 'csv' | 'xlsx' | 'xls'
  /** Null for a spreadsheet. */
  encoding: Encoding | null
  /** Whether the bytes say their encoding, by a mark or by being UTF-8; otherwise it is the likeliest. */
  encodingCertain: boolean
  delimiter: string | null
  delimiterCertain: boolean
  /** Of a spreadsheet. */
  sheets: string[]
  sheet: string | null
}

export type ReadOptions = Partial<Pick<ImportMap, 'encoding' | 'delimiter' | 'header' | 'sheet'>>

/** What was read of a file, before it is known whether its first row names the columns. */
type RawTable = Omit<ReadTable, 'columns'>

/** @throws AlmanacError import.invalid where the file is no table: empty, a quote left open in its first line, two columns of one name. */
export async function readTable(bytes: Uint8Array, name: string, options: ReadOptions): Promise<ReadTable> {
  return withColumns(await readRows(bytes, name, options), options.header ?? true)
}

/** The same of a file that is text, at once. @throws AlmanacError import.invalid */
export function readText(bytes: Uint8Array, name: string, options: ReadOptions): ReadTable {
  return withColumns(textRows(bytes, name, options), options.header ?? true)
}

/** Every row, the first among them. @throws AlmanacError import.invalid */
export async function readRows(bytes: Uint8Array, name: string, options: ReadOptions): Promise<RawTable> {
  const kind = tableKind(bytes, name)
  if (kind === 'text') return textRows(bytes, name, options)
  const { sheets, sheet, rows } = await readSpreadsheet(bytes, kind, name, options.sheet)
  return {
    ...{ name, kind, rows, sheets, sheet },
    ...{ encoding: null, encodingCertain: true, delimiter: null, delimiterCertain: true },
  }
}

/** @throws AlmanacError import.invalid */
export function withColumns(raw: RawTable, header: boolean): ReadTable {
  const { name, kind } = raw
  const [first] = raw.rows
  if (first === undefined)
    throw new AlmanacError('import.invalid', `${name} is empty: its first line must name the columns.`)
  const width = header ? first.cells.length : Math.max(...raw.rows.map(({ cells }) => cells.length))
  const columns = header
    ? first.cells.map((cell, at) => cell.trim() || columnName(at))
    : Array.from({ length: width }, (_, at) => columnName(at))
  const twice = columns.find((column, index) => columns.indexOf(column) !== index)
  if (twice !== undefined)
    throw new AlmanacError(
      'import.invalid',
      `${name} has two columns named "${twice}". Rename one of the two.`,
    )
  const rows = header ? raw.rows.slice(1) : raw.rows
  // A spreadsheet leaves out the empty cells at the end of a row.
  return { ...raw, columns, rows: kind === 'csv' ? rows : rows.map((row) => padded(row, width)) }
}

function padded(row: TableRow, width: number): TableRow {
  const missing = width - row.cells.length
  return missing > 0 ? { ...row, cells: [...row.cells, ...Array<string>(missing).fill('')] } : row
}

function textRows(bytes: Uint8Array, name: string, options: ReadOptions): RawTable {
  const { text, encoding, certain } = decode(bytes, name, options.encoding)
  if (text.includes('\u0000'))
    throw new AlmanacError(
      'import.invalid',
      `${name} is no text: it holds zero bytes. Export the table as CSV.`,
    )
  const guessed = guessDelimiter(text)
  const delimiter = options.delimiter ?? guessed.delimiter
  return {
    ...{ name, kind: 'csv', rows: rowsOf(text, name, delimiter), sheets: [], sheet: null },
    ...{ encoding, encodingCertain: certain, delimiter },
    delimiterCertain: options.delimiter !== undefined || guessed.certain,
  }
}

function rowsOf(text: string, name: string, delimiter: string): TableRow[] {
  const rows = parsedRows(text, delimiter) ?? rescueRows(text, delimiter)
  if (rows[0]?.fault === undefined) return rows
  throw new AlmanacError(
    'import.invalid',
    `${name} is no table: on line ${rows[0].line}, which names the columns, ${rows[0].fault} Or name another delimiter in the map.`,
  )
}

/** Null where a quote does not fit, or where one may have been left open: rows of several lines of another width. */
function parsedRows(text: string, delimiter: string): TableRow[] | null {
  let records: string[][]
  try {
    records = parse(text, { delimiter, bom: true, relax_column_count: true })
  } catch {
    return null
  }
  const width = records[0]?.length
  let next = 1
  let odd = false
  const rows = records.flatMap((cells) => {
    const line = next
    // Counted here: the parser's own count takes a CR LF inside of quotes for two.
    next += 1 + cells.reduce((breaks, cell) => breaks + breaksIn(cell), 0)
    odd ||= cells.length !== width && next > line + 1
    return cells.length === 1 && cells[0]!.trim() === '' ? [] : [{ line, cells }]
  })
  return odd ? null : rows
}
