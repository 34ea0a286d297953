// A block of cells in the clipboard format of spreadsheets: a line per row, tabs between cells, and quotes around a
// cell that contains either.

/** The cells of a text; rows may be of different lengths. The last line break ends a row and starts no new one. */
export function parseBlock(text: string): string[][] {
  const rows: string[][] = [[]]
  let at = 0
  for (;;) {
    const { cell, end } = cellAt(text, at)
    rows.at(-1)!.push(cell)
    const mark = text[end]
    if (mark === undefined) return rows
    at = end + 1
    if (mark === '\t') continue
    if (mark === '\r' && text[at] === '\n') at += 1
    if (at >= text.length) return rows
    rows.push([])
  }
}

/** Returns the text of a block, as `parseBlock` and spreadsheets read it. */
export function formatBlock(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(quoteCell).join('\t')).join('\n')
}

function cellAt(text: string, start: number): { cell: string; end: number } {
  if (text[start] === '"') {
    const closed = closedQuote(text, start)
    if (closed !== null) return closed
  }
  let end = start
  while (end < text.length && !'\t\n\r'.includes(text[end]!)) end += 1
  return { cell: text.slice(start, end), end }
}

/** A quoted cell ends with a quote before a separator; otherwise the leading quote is plain text. */
function closedQuote(text: string, start: number): { cell: string; end: number } | null {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] !== '"') continue
    if (text[at + 1] === '"') {
      at += 1
      continue
    }
    const next = text[at + 1]
    if (next !== undefined && !'\t\n\r'.includes(next)) return null
    return { cell: text.slice(start + 1, at).replaceAll('""', '"'), end: at + 1 }
  }
  return null
}

function quoteCell(cell: string): string {
  return /["\t\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
