// Checks an .xlsx file before it is read: a small file may contain gigabytes, or a cell in the last of all columns.
import { createInflateRaw } from 'node:zlib'
import { tableLimits, workbookTooLargeError, tooManyCellsError, tooManyColumnsError } from './table-limits.ts'

interface Part {
  name: string
  compressed: number
  size: number
  stored: boolean
  /** The offset of its local header. */
  at: number
}

const mebibyte = 1024 * 1024

/** @throws AlmanacError `import.invalid` naming the limit. A damaged file is reported by its reader. */
export async function checkWorkbook(bytes: Uint8Array, name: string): Promise<void> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts = partsOf(file, name)
  const total = parts.reduce((sum, { size }) => sum + size, 0)
  if (total > tableLimits.unzippedBytes)
    throw workbookTooLargeError(name, `unpacks to ${Math.ceil(total / mebibyte)} MiB, which is too much`)
  for (const part of parts) {
    // A part without a size would be unpacked without a bound.
    const lies = part.size === 0 && part.compressed > 2
    if (lies || (part.size > mebibyte && part.size > part.compressed * tableLimits.ratio))
      throw workbookTooLargeError(
        name,
        `has a part (${part.name}) that unpacks to far more than a spreadsheet part does`,
      )
    if (/sharedStrings[^/]*\.xml$/i.test(part.name) && part.size > tableLimits.sharedStringBytes)
      throw workbookTooLargeError(name, 'contains too much text')
  }
  let cells = 0
  for (const part of parts) {
    if (!/worksheets\/[^/]*\.xml$/i.test(part.name)) continue
    cells += await cellsOf(file, part, name)
    if (cells > tableLimits.cells) throw tooManyCellsError(name)
  }
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const endBytes = 22
const entryBytes = 46
const localBytes = 30

/** The directory at the end of a zip. */
function partsOf(file: Buffer, name: string): Part[] {
  let end = file.length - endBytes
  while (end >= 0 && file.readUInt32LE(end) !== endSignature) end -= 1
  if (end < 0) return []
  const count = file.readUInt16LE(end + 10)
  if (count > tableLimits.parts) throw workbookTooLargeError(name, `has ${count.toLocaleString('en')} parts`)
  const parts: Part[] = []
  let at = file.readUInt32LE(end + 16)
  while (parts.length < count && at + entryBytes <= file.length && file.readUInt32LE(at) === entrySignature) {
    const nameLength = file.readUInt16LE(at + 28)
    parts.push({
      name: file.toString('utf8', at + entryBytes, at + entryBytes + nameLength),
      stored: file.readUInt16LE(at + 10) === 0,
      compressed: file.readUInt32LE(at + 20),
      size: file.readUInt32LE(at + 24),
      at: file.readUInt32LE(at + 42),
    })
    at += entryBytes + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return parts
}

const tag = /<(?:\w+:)?(row|c)(?=[\s/>])([^<>]*)/g
const column = /\sr=["']([A-Za-z]{1,4})\d/
/** A tag may be split by the end of a chunk. */
const maxTagLength = 4096

/** Counts the cells of a sheet. @throws AlmanacError if one is too far to the right, or there are too many. */
async function cellsOf(file: Buffer, part: Part, name: string): Promise<number> {
  let cells = 0
  let line = 0
  let last = 0
  let carried = ''
  for await (const chunk of unpackPart(file, part)) {
    const text = carried + chunk.toString('latin1')
    const cut = Math.max(text.lastIndexOf('<'), text.length - maxTagLength, 0)
    for (const [, kind, attributes] of text.slice(0, cut).matchAll(tag)) {
      if (kind === 'row') {
        line += 1
        last = 0
        continue
      }
      const letters = column.exec(attributes!)?.[1]
      last = letters === undefined ? last + 1 : columnNumber(letters)
      cells += 1
      if (last > tableLimits.columns) throw tooManyColumnsError(name, last, line)
      if (cells > tableLimits.cells) throw tooManyCellsError(name)
    }
    carried = text.slice(cut)
  }
  return cells
}

function columnNumber(letters: string): number {
  return [...letters.toUpperCase()].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)
}

/** A part in chunks; empty if it cannot be unpacked, which its reader reports better. */
async function* unpackPart(file: Buffer, part: Part): AsyncGenerator<Buffer> {
  if (part.at + localBytes > file.length) return
  const from = part.at + localBytes + file.readUInt16LE(part.at + 26) + file.readUInt16LE(part.at + 28)
  const data = file.subarray(from, from + part.compressed)
  if (part.stored) return yield data
  const inflate = createInflateRaw()
  inflate.end(data)
  try {
    for await (const chunk of inflate) yield chunk as Buffer
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('Z_') !== true) throw error
  }
}
