// Identifies a file by its first bytes: the error for a file that is not a table names its real type, regardless of its
// extension.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export type TableKind = 'text' | 'xlsx' | 'xls'

/** Signatures at the start of a file, longest first if one is the beginning of another. */
const signatures: readonly { bytes: readonly number[]; is: string }[] = [
  { bytes: ascii('%PDF-'), is: 'a PDF document' },
  { bytes: [0x89, ...ascii('PNG')], is: 'a PNG picture' },
  { bytes: [0xff, 0xd8, 0xff], is: 'a JPEG picture' },
  { bytes: ascii('GIF8'), is: 'a GIF picture' },
  { bytes: [0x1f, 0x8b], is: 'a gzip archive; unpack it first' },
  { bytes: ascii('7z\u00bc\u00af'), is: 'a 7z archive; unpack it first' },
  { bytes: ascii('Rar!'), is: 'a RAR archive; unpack it first' },
  { bytes: ascii('SQLite format 3'), is: 'an SQLite database' },
  { bytes: ascii('{\\rtf'), is: 'an RTF document' },
  { bytes: [0x7f, ...ascii('ELF')], is: 'a program' },
]

const zip = [0x50, 0x4b, 0x03, 0x04]
const compoundFile = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

/** @throws AlmanacError import.invalid naming what the file is if it is not a table. */
export function tableKind(bytes: Uint8Array, name: string): TableKind {
  if (begins(bytes, zip)) return zipKind(bytes, name)
  if (begins(bytes, compoundFile)) return 'xls'
  const found = signatures.find((each) => begins(bytes, each.bytes))
  if (found !== undefined) throw notTableError(name, found.is)
  const textFormat = textFormatOf(bytes)
  if (textFormat !== null) throw notTableError(name, textFormat)
  return 'text'
}

/** A zip lists its parts uncompressed: in its first entry, and in the directory at its end. */
function zipKind(bytes: Uint8Array, name: string): TableKind {
  const edges = `${latin(bytes.subarray(0, 4096))}${latin(bytes.subarray(-65_536))}`
  if (edges.includes('xl/workbook.')) return 'xlsx'
  if (edges.includes('application/vnd.oasis.opendocument.spreadsheet'))
    throw notTableError(name, 'an OpenDocument spreadsheet; save it as .xlsx or CSV')
  if (edges.includes('word/document.xml')) throw notTableError(name, 'a Word document')
  if (edges.includes('ppt/presentation.xml')) throw notTableError(name, 'a PowerPoint presentation')
  throw notTableError(name, 'a zip archive; unpack it first')
}

function textFormatOf(bytes: Uint8Array): string | null {
  const start = latin(bytes.subarray(0, 512))
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
    .toLowerCase()
  if (/^<(!doctype html|html|head|body|table)/.test(start)) return 'a web page (HTML)'
  if (start.startsWith('<?xml')) return 'an XML document'
  if (/^[[{]\s*("|\{|\[|\}|\])/.test(start)) return 'JSON'
  return isBinary(bytes) ? 'binary data' : null
}

/** Control characters that text does not contain; zero bytes occur in UTF-16 and are checked by its reader. */
function isBinary(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 4096)
  let odd = 0
  for (const byte of start)
    if (byte < 32 && byte !== 0 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 26) odd += 1
  return odd > start.length / 50
}

function notTableError(name: string, is: string): AlmanacError {
  return new AlmanacError(
    'import.invalid',
    `${name} is not a table: it is ${is}. Export the table as CSV or .xlsx, and choose that file.`,
  )
}

function begins(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte)
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function ascii(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0))
}
