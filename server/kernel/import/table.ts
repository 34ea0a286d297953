// A table as it was read: cells as text, each row with its line.
import { plainText } from '../export/index.ts'

export interface TableRow {
  /** Line of the file where the row begins, from 1. */
  line: number
  cells: readonly string[]
  /** Why the row could not be read beyond its cells. */
  fault?: string
}

export interface Table {
  /** As messages name it. */
  name: string
  columns: readonly string[]
  rows: readonly TableRow[]
}

/** What a column is called that no header names, and one whose header is empty: "Column 1". */
export function columnName(at: number): string {
  return `Column ${at + 1}`
}

/** Columns by name, and cells without the spaces around them and without the guard of an export. */
export class Columns {
  readonly #at: ReadonlyMap<string, number>

  constructor({ columns }: Table) {
    this.#at = new Map(columns.map((column, index) => [column, index]))
  }

  names(): Iterable<string> {
    return this.#at.keys()
  }

  has(column: string): boolean {
    return this.#at.has(column)
  }

  cell({ cells }: TableRow, column: string | undefined): string {
    return column === undefined ? '' : plainText((cells[this.#at.get(column) ?? -1] ?? '').trim())
  }
}
