// How many values a JSON text has, and how deeply they are nested, before any of them is built: a small text can become a large
// tree.
import { maxNesting } from './json-issues.ts'

export interface JsonExtent {
  /** At every level; at most one more than was asked for. */
  values: number
  depth: number
}

const sign = { quote: 34, backslash: 92, comma: 44, open: 91, close: 93, openObject: 123, closeObject: 125 }

/** Reads bytes that do not have to be JSON. Stops above `most` values. */
export function jsonExtent(bytes: Uint8Array, most: number): JsonExtent {
  let values = 1
  let level = 0
  let depth = 0
  for (let at = 0; at < bytes.length && values <= most; at += 1) {
    switch (bytes[at]) {
      case sign.quote:
        at = closingQuote(bytes, at + 1)
        if (at === -1) return { values, depth }
        break
      case sign.comma:
        values += 1
        break
      case sign.open:
      case sign.openObject:
        values += 1
        level += 1
        if (level > depth) depth = level
        break
      case sign.close:
      case sign.closeObject:
        level -= 1
    }
  }
  return { values, depth }
}

/** Returns what is too large in a JSON text, as the end of a sentence; null if it can be built. */
export function explainExtent(bytes: Uint8Array, mostValues: number): string | null {
  const { depth, values } = jsonExtent(bytes, mostValues)
  if (depth > maxNesting) return `is nested more than ${maxNesting} levels deep`
  if (values > mostValues) return `has more than ${mostValues.toLocaleString('en')} values`
  return null
}

/** Finds the closing quote of a string that begins at `start`; -1 without one. Byte by byte after an escaped quote. */
function closingQuote(bytes: Uint8Array, start: number): number {
  const quote = bytes.indexOf(sign.quote, start)
  let at = quote
  while (at > start && bytes[at - 1] === sign.backslash) at -= 1
  if (at === quote) return quote
  for (; at < bytes.length; at += 1) {
    if (bytes[at] === sign.backslash) at += 1
    else if (bytes[at] === sign.quote) return at
  }
  return -1
}
