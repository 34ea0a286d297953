// Reads a spreadsheet as rows of text, cell by cell as stored: exact dates, numbers without an exponent.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { TableRow } from '#kernel/import/index.ts'
import { checkWorkbook } from './check-workbook.ts'
import { tableLimits, tooManyCellsError, tooManyColumnsError } from './table-limits.ts'

export interface Spreadsheet {
  /** Names of the visible sheets. */
  sheets: string[]
  /** The one that was read. */
  sheet: string
  rows: TableRow[]
}

/** Loaded with the first spreadsheet: a fifth of the server's code, which most threads never run. */
const loadLibrary = () => import('hucre/xlsx')

/** The sheet of that name, or the first. @throws AlmanacError import.invalid */
export async function readSpreadsheet(
  bytes: Uint8Array,
  kind: 'xlsx' | 'xls',
  name: string,
  requestedSheet?: string,
): Promise<Spreadsheet> {
  try {
    return kind === 'xlsx'
      ? await fromXlsx(bytes, name, requestedSheet)
      : await fromXls(bytes, name, requestedSheet)
  } catch (error) {
    if (error instanceof AlmanacError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new AlmanacError(
      'import.invalid',
      `${name} cannot be read as a spreadsheet: ${why.slice(0, 200)}. Open it in a spreadsheet program, remove its password if it has one, and save it again as .xlsx or CSV.`,
    )
  }
}

async function fromXlsx(
  bytes: Uint8Array,
  name: string,
  requestedSheet: string | undefined,
): Promise<Spreadsheet> {
  await checkWorkbook(bytes, name)
  const { readXlsx, streamXlsxRows } = await loadLibrary()
  const sheets: string[] = []
  // Reads only names: a predicate that accepts no sheet leaves every sheet unread.
  await readXlsx(bytes, {
    sheets: (info) => {
      if (info.hidden !== true && info.veryHidden !== true) sheets.push(info.name)
      return false
    },
  })
  const sheet = chooseSheet(sheets, name, requestedSheet)
  const rows: TableRow[] = []
  const takeRow = createRowCollector(rows, name)
  for await (const { index, values } of streamXlsxRows(bytes, { sheet })) takeRow(index, values)
  return { sheets, sheet, rows }
}

async function fromXls(
  bytes: Uint8Array,
  name: string,
  requestedSheet: string | undefined,
): Promise<Spreadsheet> {
  const { readXls } = await loadLibrary()
  const sheets: string[] = []
  await readXls(bytes, {
    sheets: (info) => {
      sheets.push(info.name)
      return false
    },
  })
  const sheet = chooseSheet(sheets, name, requestedSheet)
  const book = await readXls(bytes, { sheets: [sheet] })
  const rows: TableRow[] = []
  const sheetData = book.sheets.find((each) => each.name === sheet)!
  const takeRow = createRowCollector(rows, name)
  for (const [index, values] of sheetData.rows.entries()) takeRow(index, values)
  return { sheets, sheet, rows }
}

function chooseSheet(sheets: readonly string[], name: string, requestedSheet: string | undefined): string {
  const sheet = requestedSheet ?? sheets[0]
  if (sheet !== undefined && sheets.includes(sheet)) return sheet
  const message =
    requestedSheet === undefined
      ? `${name} does not contain a sheet with cells.`
      : `${name} does not contain a sheet "${requestedSheet}".${didYouMean(requestedSheet, sheets)} It contains ${sheets.map((each) => `"${each}"`).join(', ')}.`
  throw new AlmanacError('import.invalid', message)
}

/** Skips rows without any text; a spreadsheet omits trailing empty cells. */
function createRowCollector(
  rows: TableRow[],
  name: string,
): (index: number, values: readonly unknown[]) => void {
  let cellCount = 0
  return (index, values) => {
    let width = values.length
    while (width > 0 && textOf(values[width - 1]) === '') width -= 1
    if (width === 0) return
    if (width > tableLimits.columns) throw tooManyColumnsError(name, width, index + 1)
    // Columns that are empty here still take a place in the row.
    if ((cellCount += width) > tableLimits.cells) throw tooManyCellsError(name)
    rows.push({ line: index + 1, cells: values.slice(0, width).map(textOf) })
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return dateText(value)
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'boolean' || typeof value === 'string' || typeof value === 'bigint')
    return String(value)
  // A link or a rich text; its text is used.
  const { text, value: inner } = value as { text?: unknown; value?: unknown }
  return textOf(text ?? inner ?? '')
}

function dateText(date: Date): string {
  const iso = date.toISOString()
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso
}

/** The shortest text that is this number, without an exponent. */
function numberText(value: number): string {
  const text = String(value)
  const parts = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text)
  if (parts === null) return text
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return point >= digits.length
    ? `${sign}${digits}${'0'.repeat(point - digits.length)}`
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
