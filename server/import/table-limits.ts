// The size limits of a table: a larger one is not configuration, and reading it would take all the memory.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { TableRow } from '#kernel/import/index.ts'

export const tableLimits = {
  columns: 1000,
  cells: 5_000_000,
  /** As in a cell of a spreadsheet. */
  charactersOfCell: 32_767,
  /** Of an .xlsx file, all parts together. */
  unzippedBytes: 192 * 1024 * 1024,
  sharedStringBytes: 64 * 1024 * 1024,
  parts: 5000,
  /** Multiple of a part's size when it is unpacked; spreadsheets are at about 20. */
  ratio: 200,
} as const

export function tooManyColumnsError(name: string, columns: number, line: number): AlmanacError {
  return new AlmanacError(
    'import.invalid',
    `${name} has ${columns.toLocaleString('en')} columns on line ${line}; at most ${tableLimits.columns.toLocaleString('en')} are read. Remove the columns that the set does not need, or check the delimiter.`,
  )
}

export function tooManyCellsError(name: string): AlmanacError {
  return new AlmanacError(
    'import.invalid',
    `${name} has more than ${tableLimits.cells.toLocaleString('en')} cells. Remove the columns that the set does not need, or import it in parts.`,
  )
}

export function cellTooLongError(name: string, line: number, characters: number): AlmanacError {
  return new AlmanacError(
    'import.invalid',
    `${name} has a cell of ${characters.toLocaleString('en')} characters on line ${line}; at most ${tableLimits.charactersOfCell.toLocaleString('en')} are read. Shorten it, or check the quotes around it and the delimiter.`,
  )
}

/** @throws AlmanacError import.invalid */
export function refuseLongCells(rows: readonly TableRow[], name: string): void {
  for (const { cells, line } of rows)
    for (const { length } of cells)
      if (length > tableLimits.charactersOfCell) throw cellTooLongError(name, line, length)
}

export function workbookTooLargeError(name: string, what: string): AlmanacError {
  return new AlmanacError(
    'import.invalid',
    `${name} ${what}. Save only the sheet in a new file, or as CSV, and import that file.`,
  )
}
