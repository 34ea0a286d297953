// Reports what a file contains before anything is imported.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import {
  profileColumn,
  guessHeader,
  suggestMap,
  type ImportInspection,
  type ImportQuestion,
  type TableRow,
} from '#kernel/import/index.ts'
import { readRows, withColumns, type ReadOptions, type LoadedTable } from './read-table.ts'

const maxSampled = 20
const maxOddRows = 20
const maxLetteredCells = 5
/** Number of characters of a cell that are shown. */
const maxCellLength = 500

/** @throws AlmanacError import.invalid if the file is not a table. */
export async function inspectFile(
  bytes: Uint8Array,
  name: string,
  options: ReadOptions,
  set: ComponentOf<'config_set'> | null,
): Promise<ImportInspection> {
  const raw = await readRows(bytes, name, options)
  const guessed = guessHeader(raw.rows)
  const header = options.header ?? (guessed.first ? guessed.line !== null : (guessed.line ?? false))
  const table = withColumns(raw, header)
  const firstRow = table.rows[0]?.line ?? Infinity
  const above = raw.rows.filter(({ line }) => line < firstRow)
  const columns = table.columns.map((column, at) => profileColumn(column, cellsAt(table.rows, at)))
  const suggested = set === null ? null : suggestMap(table, columns, set)
  // A row in which the set recognises its columns is a header.
  const recognised =
    header !== false && suggested !== null && suggested.questions.every(({ about }) => about !== 'key')
  const headerCertain = options.header !== undefined || guessed.certain || recognised
  const odd = table.rows.filter(({ cells, fault }) => fault !== undefined || cells.length !== columns.length)
  return {
    name,
    kind: table.kind,
    bytes: bytes.length,
    rows: table.rows.length,
    oddRows: { total: odd.length, lines: odd.slice(0, maxOddRows).map(({ line }) => line) },
    encoding: table.encoding,
    encodingCertain: table.encodingCertain,
    lettered: letteredOf(raw.rows),
    delimiter: table.delimiter,
    delimiterCertain: table.delimiterCertain,
    sheets: table.sheets,
    sheet: table.sheet,
    header: header === false ? null : (above.at(-1)?.line ?? null),
    headerCertain,
    above: above.slice(-maxSampled).map(shownRow),
    columns: columns.map((column) => ({ ...column, samples: column.samples.map(shownCell) })),
    sample: table.rows.slice(0, maxSampled).map(shownRow),
    map: suggested === null ? null : { ...formOf(table, options, header), ...suggested.map },
    questions: [...formQuestions(table, headerCertain), ...(suggested?.questions ?? [])],
  }
}

function shownRow({ line, cells }: TableRow): { line: number; cells: string[] } {
  return { line, cells: cells.map(shownCell) }
}

function shownCell(cell: string): string {
  return cell.length > maxCellLength ? `${cell.slice(0, maxCellLength)}…` : cell
}

function* cellsAt(rows: readonly TableRow[], at: number): Iterable<string> {
  for (const { cells } of rows) yield cells[at] ?? ''
}

/** What a later read of the same file needs to read it in the same way. */
function formOf(
  { kind, encoding, delimiter, sheet }: LoadedTable,
  options: ReadOptions,
  header: boolean | number,
): Record<string, unknown> {
  return {
    ...(kind === 'csv' ? { encoding, delimiter } : {}),
    ...(sheet === null || (options.sheet === undefined && sheet === '') ? {} : { sheet }),
    ...(header === true ? {} : { header }),
  }
}

function formQuestions(table: LoadedTable, headerCertain: boolean): ImportQuestion[] {
  const questions: ImportQuestion[] = []
  if (!table.encodingCertain)
    questions.push({
      about: 'encoding',
      message: `${table.name} is not encoded in UTF-8. Does its text look right as ${table.encoding}?`,
      choices: ['windows-1252', 'utf-16le', 'utf-16be'],
    })
  if (!table.delimiterCertain)
    questions.push({
      about: 'delimiter',
      message: 'More than one character could separate the cells. Which one is it?',
      choices: [';', ',', '\t', '|'],
    })
  if (!headerCertain)
    questions.push({
      about: 'header',
      message:
        'Which row contains the column names? Choose one of the first rows below, or choose no header row.',
      choices: ['true', 'false'],
    })
  return questions
}

function letteredOf(rows: readonly TableRow[]): string[] {
  const letteredCells = new Set<string>()
  for (const { cells } of rows)
    for (const cell of cells) {
      if (!/[\u0080-\uffff]/.test(cell)) continue
      letteredCells.add(cell.slice(0, 80))
      if (letteredCells.size === maxLetteredCells) return [...letteredCells]
    }
  return [...letteredCells]
}
