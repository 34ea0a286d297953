// A table as read from a file: cells as text, each row with its line.
import { unguardText } from '../export/index.ts'

export interface TableRow {
  /** The line of the file on which the row begins, from 1. */
  line: number
  cells: readonly string[]
  /** Why the row could not be read beyond its cells. */
  fault?: string
}

export interface Table {
  /** The name for messages. */
  name: string
  columns: readonly string[]
  rows: readonly TableRow[]
}

/** Names a column without a header, or with an empty one: "Column 1". */
export function columnName(at: number): string {
  return `Column ${at + 1}`
}

/** Finds columns by name, and returns cells trimmed and without the guard that an export adds. */
export class ColumnIndex {
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
    return column === undefined ? '' : unguardText((cells[this.#at.get(column) ?? -1] ?? '').trim())
  }
}
