// A CSV file as a table whose rows know their lines: quoted line breaks count (completions 7: import).
import { parse } from 'csv-parse/sync'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ImportMap, Table, TableRow } from '#kernel/import/index.ts'
import { decode, type Encoding } from './decode.ts'
import { breaksIn, rescueRows } from './rescue-rows.ts'

export interface ReadTable extends Table {
  encoding: Encoding
  delimiter: string
}

const delimiters = [',', ';', '\t', '|'] as const

/** @throws AlmanacError import.invalid where the file is no table: empty, a quote left open in its first line, two columns of one name. */
export function readTable(
  bytes: Uint8Array,
  name: string,
  options: Pick<ImportMap, 'encoding' | 'delimiter'>,
): ReadTable {
  const { text, encoding } = decode(bytes, name, options.encoding)
  if (text.includes('\u0000'))
    throw new AlmanacError(
      'import.invalid',
      `${name} is no text: it holds zero bytes. Export the table as CSV.`,
    )
  const delimiter = options.delimiter ?? delimiterOf(text)
  const [header, ...rows] = rowsOf(text, name, delimiter)
  if (header === undefined)
    throw new AlmanacError('import.invalid', `${name} is empty: its first line must name the columns.`)
  const columns = header.cells.map((cell) => cell.trim())
  const twice = columns.find((column, index) => columns.indexOf(column) !== index)
  if (twice !== undefined)
    throw new AlmanacError(
      'import.invalid',
      `${name} has two columns named "${twice}". Rename one of the two.`,
    )
  return { name, columns, rows, encoding, delimiter }
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

/** The delimiter that the first line, outside of quotes, has most of; a comma where it has none. */
function delimiterOf(text: string): string {
  const line = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0] ?? '').replace(/"(?:[^"]|"")*"/g, '')
  const counts = delimiters.map((delimiter) => line.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}
