// The rows of CSV as RFC 4180 describes it. An empty cell clears its field; a quoted empty one is an empty text.
import { Buffer, isUtf8 } from 'node:buffer'
import { parse, type CsvError, type Info, type Options, type Parser } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { IngestColumn } from '../ports/ingest.ts'
import { erasedRow, isErasedText } from './erased-text.ts'
import { mostRowBytes, tooLongRow } from './row-limits.ts'
import type { IngestRow } from '../records/index.ts'

const format: Options = {
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
  max_record_size: mostRowBytes,
}

/** A row as it was read: its cells, or why it cannot be read. */
type CsvRow = { line: number; end: number; endLine: number } & (
  { cells: (string | null)[] } | { fault: string }
)

/**
 * @param lines before the first byte
 * @throws AlmanacError `ingest.row` where it cannot be known where the next row begins
 */
export async function* csvRows(
  bytes: AsyncIterable<Uint8Array>,
  columns: readonly IngestColumn[],
  lines = 0,
): AsyncIterable<IngestRow> {
  for await (const row of new CsvReader(lines).read(bytes)) yield withColumns(row, columns)
}

/** The first row, and the place after it; null without one. @throws AlmanacError `ingest.columns` */
export async function readHeader(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ columns: string[]; end: number; endLine: number } | null> {
  for await (const row of new CsvReader().read(bytes)) {
    if ('fault' in row) throw new AlmanacError('ingest.columns', `The header cannot be read. ${row.fault}`)
    const columns = row.cells.map((cell) => (cell ?? '').trim())
    return { columns, end: row.end, endLine: row.endLine }
  }
  return null
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

/** Reads a row at a time, and goes on after one that is broken. */
class CsvReader {
  /** What was read and belongs to no row yet, and where it begins. */
  #rest: Buffer = Buffer.alloc(0)
  #offset = 0
  #lines = 0
  /** Where the parser has begun. */
  #parserStart = 0
  #parserLines = 0
  #found: { cells: string[]; info: Info }[] = []
  #parser = this.#newParser()

  /** @param lines before the first byte */
  constructor(lines = 0) {
    this.#lines = this.#parserLines = lines
  }

  async *read(bytes: AsyncIterable<Uint8Array>): AsyncIterable<CsvRow> {
    for await (const chunk of bytes)
      yield* this.#next(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
    yield* this.#next(null)
  }

  #newParser(): Parser {
    const bom = this.#offset === 0
    const keep = (cells: string[], info: Info): null => {
      this.#found.push({ cells, info: { ...info } })
      return null
    }
    const parser = parse({ ...format, bom, on_record: keep as never })
    // Each write and the end report their errors themselves.
    parser.on('error', () => undefined)
    parser.resume()
    return parser
  }

  /** @param chunk null at the end of the input */
  async *#next(chunk: Buffer | null): AsyncIterable<CsvRow> {
    if (chunk !== null) this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const waiting = [chunk]
    for (let sent = waiting.shift(); sent !== undefined; sent = waiting.shift()) {
      const error = await this.#send(sent)
      yield* this.#takeFound()
      if (error === null) continue
      yield this.#broken(error)
      this.#parser = this.#newParser()
      // What follows the broken row is read again.
      if (sent === null) waiting.unshift(null)
      if (this.#rest.length > 0) waiting.unshift(this.#rest)
    }
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

  *#takeFound(): Iterable<CsvRow> {
    let [start, line] = [0, this.#lines]
    const [base, baseLine] = [this.#parserStart, this.#parserLines]
    const rest = this.#rest
    for (const { cells, info } of this.#found) {
      const end = base + info.bytes - this.#offset
      const raw = rest.subarray(start, end)
      line = baseLine + info.lines
      const inner = cells.reduce((sum, cell) => sum + breaksIn(cell), 0)
      yield {
        ...{ line: line - inner, end: base + info.bytes, endLine: line },
        ...contentOf(cells, raw),
      }
      start = end
    }
    this.#found = []
    this.#rest = rest.subarray(start)
    this.#offset += start
    this.#lines = line
  }

  /** The line of a row that cannot be read, if the row is only this line. @throws AlmanacError `ingest.row` */
  #broken(error: CsvError): CsvRow {
    const at = this.#parserLines + Number(error['lines'])
    const blank = /^(?:\r\n|\n|\r)*/.exec(this.#rest.toString('latin1', 0, 1000))![0]
    const first = this.#lines + breaksIn(blank) + 1
    if (at !== first || error.code === 'CSV_QUOTE_NOT_CLOSED') throw notKnown(error, first)
    const found = /[\r\n]/.exec(this.#rest.toString('latin1', blank.length))
    const lineEnd = found === null ? this.#rest.length : blank.length + found.index
    const isPair = this.#rest[lineEnd] === 0x0d && this.#rest[lineEnd + 1] === 0x0a
    const length = Math.min(lineEnd + (isPair ? 2 : 1), this.#rest.length)
    this.#offset += length
    this.#rest = this.#rest.subarray(length)
    this.#lines = first
    ;[this.#parserStart, this.#parserLines] = [this.#offset, this.#lines]
    return {
      ...{ line: first, end: this.#offset, endLine: first },
      fault: 'A cell with a quote must be in quotes, and each quote within it must be doubled.',
    }
  }
}

const breaksIn = (text: string): number =>
  text.includes('\n') || text.includes('\r') ? text.split(/\r\n|\n|\r/).length - 1 : 0

function contentOf(cells: string[], raw: Buffer): { cells: (string | null)[] } | { fault: string } {
  if (cells.some((cell) => cell.includes('\ufffd')) && !isUtf8(raw))
    return { fault: isErasedText(raw) ? erasedRow : 'The row is not valid UTF-8.' }
  if (!cells.includes('')) return { cells }
  if (!raw.includes('""')) return { cells: cells.map((cell) => (cell === '' ? null : cell)) }
  const [again] = parseAtOnce(raw, {
    ...format,
    bom: true,
    cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
  }) as (string | null)[][]
  return { cells: again! }
}

/** @param line where the row begins */
function notKnown(error: CsvError, line: number): AlmanacError {
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLongRow(line)
  const where = Number(error['lines'])
  return new AlmanacError(
    'ingest.row',
    error.code === 'CSV_QUOTE_NOT_CLOSED'
      ? `The row that begins in line ${line} has a quote that is never closed, so it is not known where it ends.`
      : `The row that begins in line ${line} has a wrong quote in line ${where}, so it is not known where it ends.`,
  )
}
