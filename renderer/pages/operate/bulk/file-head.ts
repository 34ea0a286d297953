// The beginning of a file for a bulk job: its columns and first rows, or why the server would not read it. A file can be
// larger than memory, so only its beginning is read.
import type { IngestFormat } from '../../../api/ingest.ts'
import { csvHead, type TextRow } from './csv-head.ts'

export interface FileHead {
  format: IngestFormat
  /** The header of CSV; the members of the first rows of JSON Lines. */
  columns: string[]
  rows: TextRow[]
}

export type ReadHead = FileHead | { fault: string }

const headBytes = 256 * 1024
const mostRows = 5
const mostBytes = 5 * 1024 ** 3

export async function readFileHead(file: File): Promise<ReadHead> {
  const { name, size } = file
  if (size === 0) return { fault: `${name} is empty.` }
  if (size > mostBytes)
    return { fault: `${name} is larger than 5 GiB, which is the most that a bulk job takes. Split it.` }
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  } catch {
    return {
      fault: `${name} cannot be read. It may have been removed, or locked by another program; choose it again.`,
    }
  }
  const encoding = encodingFault(bytes)
  if (encoding !== null) return { fault: `${name} ${encoding}` }
  const isWhole = size <= headBytes
  let text: string
  try {
    // The last character of the beginning can be cut.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole })
  } catch {
    return {
      fault: `${name} is not in UTF-8. Save it as UTF-8, in Excel as “CSV UTF-8 (comma delimited)”, and choose it again.`,
    }
  }
  const head = isJson(name, text) ? jsonHead(text) : csvFileHead(text, isWhole)
  return 'fault' in head ? { fault: `${name}: ${head.fault}` } : head
}

const begins = (bytes: Uint8Array, ...signature: number[]): boolean =>
  signature.every((byte, at) => bytes[at] === byte)

function encodingFault(bytes: Uint8Array): string | null {
  if (begins(bytes, 0xff, 0xfe) || begins(bytes, 0xfe, 0xff))
    return 'is in UTF-16. Save it as UTF-8, in Excel as “CSV UTF-8 (comma delimited)”, and choose it again.'
  if (begins(bytes, 0x50, 0x4b) || begins(bytes, 0xd0, 0xcf))
    return 'is not a text file. If it is a workbook, save its sheet as “CSV UTF-8 (comma delimited)”, and choose that file.'
  if (begins(bytes, 0x1f, 0x8b)) return 'is compressed. Unpack it, and choose the file in it.'
  return null
}

const isJson = (name: string, text: string): boolean =>
  /\.(?:jsonl|ndjson)$/i.test(name) || text.trimStart().startsWith('{')

function csvFileHead(text: string, isWhole: boolean): ReadHead {
  const read = csvHead(text, mostRows + 1, isWhole)
  if ('fault' in read) return read
  const [header, ...rows] = read.rows
  if (header === undefined) return { fault: 'it has no row. The first row must name the columns.' }
  const separator = otherSeparator(header.cells, text)
  if (separator !== null)
    return {
      fault: `its cells are separated by ${separator}, and a bulk job needs commas. Save it with commas, and choose it again.`,
    }
  if (rows.length === 0) return { fault: 'it has a header, but no row below it.' }
  return { format: 'csv', columns: header.cells.map((cell) => cell.trim()), rows }
}

const separators = { ';': 'semicolons', '\t': 'tabs', '|': 'bars' } as const

/** In words; null if the cells are separated by commas. */
function otherSeparator(cells: readonly string[], text: string): string | null {
  const [line = ''] = text.split(/\r\n|\n|\r/, 1)
  for (const [separator, words] of Object.entries(separators))
    if (line.split(separator).length > Math.max(1, cells.length)) return words
  return null
}

function jsonHead(text: string): ReadHead {
  const rows: TextRow[] = []
  const columns = new Set<string>()
  const objects: { line: number; row: Record<string, unknown> }[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (objects.length === mostRows) break
    if (line.trim() === '') continue
    try {
      const row = JSON.parse(line) as unknown
      if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new TypeError('not an object')
      objects.push({ line: at + 1, row: row as Record<string, unknown> })
      for (const name of Object.keys(row)) columns.add(name)
    } catch {
      if (objects.length > 0) break
      return { fault: `line ${at + 1} is not a JSON object. JSON Lines have one object in each line.` }
    }
  }
  for (const { line, row } of objects)
    rows.push({
      line,
      cells: [...columns].map((name) => {
        const value = row[name] ?? null
        return value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
      }),
    })
  return { format: 'jsonl', columns: [...columns], rows }
}
