// The rows of CSV as RFC 4180 describes it. An empty cell clears its field; a quoted empty one is an empty text.
import { Buffer, isUtf8 } from 'node:buffer'
import { parse, type CsvError, type Info, type Options, type Parser } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { IngestColumn } from '../ports/ingest.ts'
import { erasedRow, isErasedText } from './erased-text.ts'
import {
  blankBytes,
  blankLines,
  breaksIn,
  isLineEnd,
  lineFeed,
  carriageReturn,
  linesOf,
} from './line-ends.ts'
import {
  largeRowFault,
  longestColumn,
  longestRow,
  mostColumns,
  mostRowBytes,
  requireBlankBytes,
  tooLongRow,
} from './row-limits.ts'
import type { IngestRow } from '../records/index.ts'

const format: Options = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
  max_record_size: mostRowBytes,
}

const byteOrderMark = Buffer.from('\ufeff')

/** A row as it was read: its cells, or why it cannot be read. */
type CsvRow = { line: number; end: number; endLine: number } & (
  { cells: (string | null)[] } | { fault: string }
)

/**
 * @param lines before the first byte; without any, a byte order mark is left out
 * @throws AlmanacError `ingest.row` where it cannot be known where the next row begins
 */
export async function* csvRows(
  bytes: AsyncIterable<Uint8Array>,
  columns: readonly IngestColumn[],
  lines = 0,
): AsyncIterable<IngestRow> {
  for await (const rows of new CsvReader(lines).read(bytes))
    for (const row of rows) yield withColumns(row, columns)
}

/** The first row, and the place after it; null without one. @throws AlmanacError `ingest.columns` */
export async function readHeader(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ columns: string[]; end: number; endLine: number } | null> {
  for await (const [row] of new CsvReader().read(beginning(bytes))) {
    if (row === undefined) continue
    if ('fault' in row) throw new AlmanacError('ingest.columns', `The header cannot be read. ${row.fault}`)
    if (row.cells.length > mostColumns)
      throw new AlmanacError(
        'ingest.columns',
        `The header has ${row.cells.length.toLocaleString('en')} columns, but a job has at most ${mostColumns.toLocaleString('en')}.`,
      )
    const columns = row.cells.map((cell) => (cell ?? '').trim())
    const long = columns.findIndex((column) => column.length > longestColumn)
    if (long !== -1)
      throw new AlmanacError(
        'ingest.columns',
        `The name of column ${long + 1} is longer than ${longestColumn} characters. Send a header with the names of the columns.`,
      )
    return { columns, end: row.end, endLine: row.endLine }
  }
  return null
}

/** The bytes in which a header ends: it is read while a request waits. */
async function* beginning(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let read = 0
  for await (const chunk of bytes) {
    if (read > longestRow)
      throw new AlmanacError(
        'ingest.columns',
        'The header cannot be read: its end is not in the first MiB. Send a header with the names of the columns.',
      )
    read += chunk.length
    yield chunk
  }
}

function withColumns(row: CsvRow, columns: readonly IngestColumn[]): IngestRow {
  if ('fault' in row || row.cells.length === columns.length) return row
  const { line, end, endLine, cells } = row
  return {
    line,
    end,
    endLine,
    fault: `The row has ${cells.length} cells, but there are ${columns.length} columns.`,
  }
}

/** Reads the rows of a chunk at a time, and goes on after one that is broken. */
class CsvReader {
  /** What was read and belongs to no row yet, and where it begins. */
  #rest: Buffer = Buffer.alloc(0)
  #offset = 0
  #lines = 0
  /** Where the parser has begun. */
  #parserStart = 0
  /** The lines that the parser has counted up to its last row. It counts CRLF within quotes twice. */
  #counted = 0
  /** Of a row that cannot be read, until the end of its line is there. */
  #waiting: CsvError | null = null
  #found: { cells: string[]; bytes: number; lines: number }[] = []
  /** Whether nothing was read of the whole file: a byte order mark is only there. */
  #isStart: boolean
  #parser: Parser

  /** @param lines before the first byte */
  constructor(lines = 0) {
    this.#lines = lines
    this.#isStart = lines === 0
    this.#parser = this.#newParser()
  }

  async *read(bytes: AsyncIterable<Uint8Array>): AsyncIterable<CsvRow[]> {
    for await (const chunk of bytes)
      yield* this.#rowsOf(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
    yield* this.#rowsOf(null)
  }

  /** The rows before what cannot be read come first. */
  async *#rowsOf(chunk: Buffer | null): AsyncIterable<CsvRow[]> {
    const rows: CsvRow[] = []
    try {
      await this.#next(chunk, rows)
    } catch (error) {
      yield rows
      throw error
    }
    yield rows
  }

  #newParser(): Parser {
    const bom = this.#isStart
    this.#parserStart = this.#offset
    this.#counted = 0
    const keep = (cells: string[], { bytes, lines }: Info): null => {
      this.#found.push({ cells, bytes, lines })
      return null
    }
    const parser = parse({ ...format, bom, on_record: keep as never })
    // Each write and the end report their errors themselves.
    parser.on('error', () => undefined)
    parser.resume()
    return parser
  }

  /** @param chunk null at the end of the input */
  async #next(chunk: Buffer | null, rows: CsvRow[]): Promise<void> {
    if (chunk !== null) this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const waiting = this.#waiting === null ? [chunk] : []
    if (this.#waiting !== null) {
      const row = this.#broken(this.#waiting, chunk === null)
      if (row === null) return
      rows.push(row)
      waiting.push(...this.#begin(), ...(chunk === null ? [null] : []))
    }
    for (let sent = waiting.shift(); sent !== undefined; sent = waiting.shift()) {
      const error = await this.#send(sent)
      this.#takeFound(rows)
      // The parser counts letters of cells, of which a row can have none.
      requireRowBytes(this.#rest, this.#lines)
      if (error === null) continue
      const row = this.#broken(error, sent === null)
      this.#waiting = row === null ? error : null
      if (row === null) return
      rows.push(row)
      // What follows the broken row is read again.
      if (sent === null) waiting.unshift(null)
      waiting.unshift(...this.#begin())
    }
  }

  /** Begins after a broken row. Returns what is read again. */
  #begin(): Buffer[] {
    this.#waiting = null
    this.#parser = this.#newParser()
    return this.#rest.length > 0 ? [this.#rest] : []
  }

  /** Returns the error of the first broken row. @param chunk null at the end of the input */
  #send(chunk: Buffer | null): Promise<CsvError | null> {
    const parser = this.#parser
    return new Promise((resolve) => {
      const done = (error?: Error | null): void => resolve((error as CsvError | null) ?? null)
      if (chunk !== null) parser.write(chunk, done)
      else {
        parser.once('error', done)
        parser.end(() => done())
      }
    })
  }

  #takeFound(rows: CsvRow[]): void {
    this.#leaveOutMark()
    let [start, line] = [0, this.#lines]
    const base = this.#parserStart
    const rest = this.#rest
    for (const { cells, bytes, lines } of this.#found) {
      const end = base + bytes - this.#offset
      const raw = rest.subarray(start, end)
      requireRowBytes(raw, line)
      const begin = line + blankLines(raw) + 1
      // The last line of a file can have no end.
      line += breaksIn(raw) + (isLineEnd(raw.at(-1)) ? 0 : 1)
      this.#counted = lines
      rows.push({
        ...{ line: begin, end: base + bytes, endLine: line },
        ...contentOf(cells, raw),
      })
      start = end
      this.#isStart = false
    }
    this.#found = []
    this.#rest = rest.subarray(start)
    this.#offset += start
    this.#lines = line
  }

  /** A byte order mark is not part of the first row: empty lines can be between them. */
  #leaveOutMark(): void {
    if (!this.#isStart || !this.#rest.subarray(0, byteOrderMark.length).equals(byteOrderMark)) return
    this.#rest = this.#rest.subarray(byteOrderMark.length)
    this.#offset += byteOrderMark.length
    this.#isStart = false
  }

  /**
   * The line of a row that cannot be read, if the row is only this line; null if its end is not there yet.
   * @throws AlmanacError `ingest.row`
   */
  #broken(error: CsvError, isEnd: boolean): CsvRow | null {
    const rest = this.#rest
    const blank = blankLines(rest)
    const first = this.#lines + blank + 1
    const counted = Number(error['lines']) - this.#counted - 1 - blank
    if (counted > 0 || hasNoEnd(error)) throw notKnown(error, first, first + linesOf(rest, counted))
    let lineEnd = blankBytes(rest)
    while (lineEnd < rest.length && !isLineEnd(rest[lineEnd])) lineEnd += 1
    if (!isEnd && lineEnd >= rest.length - 1 && rest[lineEnd] !== lineFeed) {
      if (rest.length > mostRowBytes) throw tooLongRow(first, 'closing quote')
      return null
    }
    const isPair = rest[lineEnd] === carriageReturn && rest[lineEnd + 1] === lineFeed
    const length = Math.min(lineEnd + (isPair ? 2 : 1), rest.length)
    this.#offset += length
    this.#rest = rest.subarray(length)
    this.#lines = first
    this.#isStart = false
    return {
      ...{ line: first, end: this.#offset, endLine: first },
      fault: 'A cell with a quote must be in quotes, and each quote within it must be doubled.',
    }
  }
}

/**
 * @param row with the empty lines before it @param lines before it
 * @throws AlmanacError `ingest.row`
 */
function requireRowBytes(row: Buffer, lines: number): void {
  if (row.length <= mostRowBytes) return
  const blank = blankBytes(row)
  requireBlankBytes(blank, lines + 1)
  if (row.length - blank > mostRowBytes) throw tooLongRow(lines + blankLines(row) + 1, 'closing quote')
}

/** Whether it is not known where the row ends. */
const hasNoEnd = ({ code }: CsvError): boolean =>
  code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE'

function contentOf(cells: string[], raw: Buffer): { cells: (string | null)[] } | { fault: string } {
  if (cells.some((cell) => cell.includes('\ufffd')) && !isUtf8(raw))
    return { fault: isErasedText(raw) ? erasedRow : 'The row is not valid UTF-8.' }
  const fault = largeRowFault(raw)
  if (fault !== null) return { fault }
  if (!cells.includes('')) return { cells }
  if (!raw.includes('""')) return { cells: cells.map((cell) => (cell === '' ? null : cell)) }
  const [again] = parseAtOnce(raw, {
    ...format,
    cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
  }) as (string | null)[][]
  return { cells: again! }
}

/** @param line where the row begins @param where of the quote */
function notKnown(error: CsvError, line: number, where: number): AlmanacError {
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLongRow(line, 'closing quote')
  return new AlmanacError(
    'ingest.row',
    error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? `The row that begins in line ${line} has a quote that is never closed, so it is not known where it ends.`
      : `The row that begins in line ${line} has a wrong quote in line ${where}, so it is not known where it ends.`,
  )
}
