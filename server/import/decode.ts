// Decodes the bytes of a table as text: a byte order mark, the bytes themselves, or the map decides the encoding.
import { isUtf8 } from 'node:buffer'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ImportMap } from '#kernel/import/index.ts'

export type Encoding = NonNullable<ImportMap['encoding']>

export interface DecodedText {
  text: string
  encoding: Encoding
  /** Whether the bytes themselves prove it; otherwise it is the likeliest encoding that fits every byte. */
  certain: boolean
}

/** @throws AlmanacError import.invalid if the bytes are not in the encoding that the map names. */
export function decode(bytes: Uint8Array, name: string, requestedEncoding?: Encoding): DecodedText {
  const encoding = requestedEncoding ?? encodingOf(bytes)
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return { text, encoding, certain: requestedEncoding !== undefined || encoding !== 'windows-1252' }
  } catch {
    throw new AlmanacError(
      'import.invalid',
      `${name} is not encoded in ${encoding}. Specify its encoding in the map, or save it as UTF-8.`,
    )
  }
}

function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  // Without a mark, Latin text in UTF-16 is recognised by its zero bytes.
  if (bytes[1] === 0 && bytes[3] === 0 && bytes[0] !== 0) return 'utf-16le'
  if (bytes[0] === 0 && bytes[2] === 0 && bytes[1] !== 0) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}
