// Writes lines of CSV (RFC 4180) in which no text becomes a formula.

/** Matches a text that a spreadsheet would run as a formula, after any number of apostrophes. */
const formula = /^'*[=+\-@\t\r]/

/** Puts an apostrophe before a text that a spreadsheet would run as a formula. `unguardText` removes it. */
export function guardText(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** Reverses `guardText`; returns any other text unchanged. */
export function unguardText(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoteCell).join(',')}\r\n`
}

function quoteCell(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
