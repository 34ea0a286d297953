// The ends of lines in bytes of CSV: LF, CR, or both.
import type { Buffer } from 'node:buffer'

export const [lineFeed, carriageReturn] = [0x0a, 0x0d]
export const isLineEnd = (byte: number | undefined): boolean => byte === lineFeed || byte === carriageReturn

/** Ends of lines; CRLF is one. */
export function breaksIn(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count += 1
  for (let at = bytes.indexOf(carriageReturn); at >= 0; at = bytes.indexOf(carriageReturn, at + 1))
    if (bytes[at + 1] !== lineFeed) count += 1
  return count
}

/** The length of the empty lines at the beginning. */
export function blankBytes(bytes: Buffer): number {
  let length = 0
  while (isLineEnd(bytes[length])) length += 1
  return length
}

export const blankLines = (bytes: Buffer): number =>
  isLineEnd(bytes[0]) ? breaksIn(bytes.subarray(0, blankBytes(bytes))) : 0

/** The ends of lines of a row that the parser has counted as so many, because it counts CRLF within quotes twice. */
export function linesOf(bytes: Buffer, counted: number): number {
  let at = blankBytes(bytes)
  const begin = at
  for (let left = counted; left > 0 && at < bytes.length; at += 1) if (isLineEnd(bytes[at])) left -= 1
  return breaksIn(bytes.subarray(begin, at))
}
