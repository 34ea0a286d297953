// Which character stands between the cells of a text (completions 7: import).

/** Of two that fit as well, the earlier counts: where numbers have decimal commas, commas fit too. */
const delimiters = [';', '\t', '|', ','] as const

/** Lines that are looked at. */
const mostLines = 200

export interface GuessedDelimiter {
  delimiter: string
  /** Whether no other would make a table of it. */
  certain: boolean
}

/** Of the best share, what another delimiter must reach to fit as well: lines above the header, such as a title, may differ. */
const asWell = 0.9

/** The one that stands equally often in most lines; a comma where none stands anywhere. */
export function guessDelimiter(text: string): GuessedDelimiter {
  const lines = text
    .slice(0, 256 * 1024)
    // What stands in quotes is no delimiter, and a line break there ends no row.
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\n|\r/)
    .slice(0, mostLines)
    .filter((line) => line.trim() !== '')
  const scored = delimiters.map((delimiter) => ({ delimiter, share: shareOf(lines, delimiter) }))
  const most = Math.max(...scored.map(({ share }) => share))
  const best = scored.find(({ share }) => share > 0 && share >= asWell * most)
  if (best === undefined) return { delimiter: ',', certain: true }
  return {
    delimiter: best.delimiter,
    certain: scored.every(({ share, delimiter }) => delimiter === best.delimiter || share < best.share),
  }
}

/** The largest part of the lines that have equally many of it, and at least one. */
function shareOf(lines: readonly string[], delimiter: string): number {
  const counts = new Map<number, number>()
  for (const line of lines) {
    const count = line.split(delimiter).length - 1
    if (count > 0) counts.set(count, (counts.get(count) ?? 0) + 1)
  }
  return lines.length === 0 ? 0 : Math.max(0, ...counts.values()) / lines.length
}
