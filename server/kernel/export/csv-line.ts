// A line of CSV as RFC 4180 writes it, in which no text becomes a formula (studio: export to CSV).

/** What a spreadsheet would take for a formula, however many apostrophes stand before it. */
const formula = /^'*[=+\-@\t\r]/

/** A text that no spreadsheet computes: with an apostrophe before what would begin a formula. `plainText` takes it back. */
export function guardedText(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** The text that `guardedText` guarded; any other text as it is. */
export function plainText(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
