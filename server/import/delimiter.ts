// Guesses which character separates the cells of a text.

/** If two fit equally, the earlier one is used: with decimal commas in numbers, commas also fit. */
const delimiters = [';', '\t', '|', ','] as const

/** Number of lines that are examined. */
const maxLines = 200

export interface DelimiterGuess {
  delimiter: string
  /** Whether no other delimiter would make a table of the text. */
  certain: boolean
}

/**
 * The part of the best share that another delimiter must reach to fit as well: lines above the header, such as a
 * title, may differ.
 */
const tieRatio = 0.9

/** The delimiter that occurs equally often in most lines; a comma if none occurs. */
export function guessDelimiter(text: string): DelimiterGuess {
  const lines = text
    .slice(0, 256 * 1024)
    // A delimiter in quotes does not count, and a line break there does not end a row.
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\n|\r/)
    .slice(0, maxLines)
    .filter((line) => line.trim() !== '')
  const scored = delimiters.map((delimiter) => ({ delimiter, share: shareOf(lines, delimiter) }))
  const most = Math.max(...scored.map(({ share }) => share))
  const best = scored.find(({ share }) => share > 0 && share >= tieRatio * most)
  if (best === undefined) return { delimiter: ',', certain: true }
  return {
    delimiter: best.delimiter,
    certain: scored.every(({ share, delimiter }) => delimiter === best.delimiter || share < best.share),
  }
}

/** The largest share of the lines that contain it equally often, and at least once. */
function shareOf(lines: readonly string[], delimiter: string): number {
  const counts = new Map<number, number>()
  for (const line of lines) {
    const count = line.split(delimiter).length - 1
    if (count > 0) counts.set(count, (counts.get(count) ?? 0) + 1)
  }
  return lines.length === 0 ? 0 : Math.max(0, ...counts.values()) / lines.length
}
