// Which character stands between the cells of a text (completions 7: import).

/** Of two that fit as well, the earlier counts: where numbers have decimal commas, commas fit too. */
const delimiters = [';', '\t', '|', ','] as const

/** Lines that are looked at. */
const most = 200

export interface GuessedDelimiter {
  delimiter: string
  /** Whether no other would make a table of it. */
  certain: boolean
}

/** The one that stands as often in nearly every line as in the first; a comma where none stands anywhere. */
export function guessDelimiter(text: string): GuessedDelimiter {
  const lines = text
    .slice(0, 256 * 1024)
    // What stands in quotes is no delimiter, and a line break there ends no row.
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\n|\r/)
    .slice(0, most)
    .filter((line) => line.trim() !== '')
  const scored = delimiters
    .map((delimiter) => ({ delimiter, share: shareOf(lines, delimiter) }))
    .filter(({ share }) => share > 0)
  const [best] = [...scored].sort((a, b) => b.share - a.share)
  if (best === undefined) return { delimiter: ',', certain: true }
  return {
    delimiter: best.delimiter,
    certain: scored.every(({ share, delimiter }) => delimiter === best.delimiter || share < best.share),
  }
}

/** How many of the lines have as many as the first has; 0 where that has none. */
function shareOf(lines: readonly string[], delimiter: string): number {
  const [first, ...others] = lines.map((line) => line.split(delimiter).length - 1)
  if (first === undefined || first === 0) return 0
  return (1 + others.filter((count) => count === first).length) / lines.length
}
