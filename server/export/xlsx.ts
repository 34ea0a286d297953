// Writes a set as a spreadsheet: dates as dates, numbers as numbers if a spreadsheet can represent them exactly and
// otherwise as text, text always as text.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { SetCell, SetColumn, SetTable } from '#kernel/export/index.ts'
import { formatDecimal, parseDecimal } from '#kernel/decimal/decimal.ts'

/** Before this date, the day numbers of spreadsheets disagree: they count a 29 February 1900. */
const firstDay = '1900-03-01'

/** Significant digits that a spreadsheet keeps. */
const mostDigits = 15

export async function* xlsxOf(
  { columns, cells }: SetTable,
  entries: Iterable<ComponentOf<'config_entry'>>,
  name: string,
): AsyncIterable<Uint8Array> {
  function* rows(): Iterable<(string | number | boolean | Date | null)[]> {
    for (const entry of entries) yield cells(entry).map((cell, at) => toSpreadsheetValue(cell, columns[at]!))
  }
  // Loaded when it is needed, as in server/import/read-spreadsheet.ts.
  const { writeXlsxStream } = await import('hucre/xlsx')
  const stream = writeXlsxStream(rows(), {
    // Excel allows 31 characters.
    name: name.slice(0, 31),
    columns: columns.map(({ name: header, kind, scale }) => ({ header, ...formatOf(kind, scale) })),
    freezePane: { rows: 1 },
  })
  for await (const piece of stream) {
    yield piece
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

function formatOf(kind: SetColumn['kind'], scale = 0): { width: number; numFmt?: string } {
  if (kind === 'date') return { width: 12, numFmt: 'yyyy-mm-dd' }
  if (kind === 'number')
    return { width: 14, numFmt: scale === 0 ? '0' : `0.${'0'.repeat(Math.min(scale, 30))}` }
  // Text stays text even after an edit of the cell.
  return kind === 'text' ? { width: 20, numFmt: '@' } : { width: 10 }
}

function toSpreadsheetValue(cell: SetCell, { kind }: SetColumn): string | number | boolean | Date | null {
  if (typeof cell !== 'string') return cell
  if (kind === 'number') return exactNumber(cell) ?? cell
  if (kind === 'date' && cell >= firstDay) return new Date(`${cell}T00:00:00Z`)
  return cell
}

/** The number that equals this decimal to its last digit; null if a spreadsheet would round it. */
function exactNumber(text: string): number | null {
  const value = parseDecimal(text)
  if (value === null) return null
  const digits = formatDecimal(value).replace(/^-/, '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '')
  return digits.length > mostDigits ? null : Number(text)
}
