// Decodes text to bytes.
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

export const utf8Bytes = (text: string): Uint8Array => utf8ToBytes(text)

/** Null if the text is not pairs of hexadecimal digits. */
export function hexBytes(text: string): Uint8Array | null {
  return /^(?:[0-9a-fA-F]{2})+$/.test(text) ? hexToBytes(text) : null
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const sextets: ReadonlyMap<string, number> = new Map([
  ...[...alphabet].map((digit, value): [string, number] => [digit, value]),
  ...([
    ['-', 62],
    ['_', 63],
  ] as [string, number][]),
])

/** The usual alphabet or that of URLs, with or without padding. Null if the text is not base64. */
export function base64Bytes(text: string): Uint8Array | null {
  const digits = text.replace(/={1,2}$/, '')
  if (!/^[A-Za-z0-9+/_-]+$/.test(digits) || digits.length % 4 === 1) return null
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4))
  let [bits, held, at] = [0, 0, 0]
  for (const digit of digits) {
    bits = (bits << 6) | sextets.get(digit)!
    held += 6
    if (held < 8) continue
    held -= 8
    bytes[at++] = (bits >> held) & 0xff
    bits &= (1 << held) - 1
  }
  return bytes
}
