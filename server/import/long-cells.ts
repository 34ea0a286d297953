// Finds a cell that is far too long before the text is parsed: the parser takes a minute for one of 96 MiB.
import { tableLimits } from './table-limits.ts'

const sign = { quote: 34, lineFeed: 10, carriageReturn: 13 }

export interface LongCell {
  line: number
  /** Length of the cell, or of a part of it. */
  characters: number
}

/**
 * The first stretch without a delimiter or a line break that is longer than a cell may be. Regardless of its quotes, it
 * is in one cell. A cell that is too long because of delimiters or line breaks in quotes is not found.
 */
export function findLongCell(text: string, delimiter: string): LongCell | null {
  const between = delimiter.charCodeAt(0)
  let line = 1
  let quotes = 0
  let start = 0
  for (let at = 0; at <= text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === sign.quote) quotes += 1
    const breaks = code === sign.lineFeed || code === sign.carriageReturn
    if (code !== between && !breaks && at < text.length) continue
    const characters = charactersIn(at - start, quotes)
    if (characters > tableLimits.charactersOfCell) return { line, characters }
    if (breaks && !(code === sign.carriageReturn && text.charCodeAt(at + 1) === sign.lineFeed)) line += 1
    start = at + 1
    quotes = 0
  }
  return null
}

/** A lower bound: the quotes around a cell do not count, and two inside it count once. */
function charactersIn(length: number, quotes: number): number {
  return quotes === 0 ? length : Math.floor(length - quotes / 2 - 1)
}
