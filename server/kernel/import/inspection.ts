// What is told of a file before anything of it is taken: its form, its columns, a map that fits, and what must be asked.
// For server, command line and page alike (studio: CSV import with a mapping step).
import type { ColumnFacts } from './columns.ts'

/** A thing that the file leaves open. It is asked, never guessed; until it is answered the map lacks it. */
export interface ImportQuestion {
  about: 'dates' | 'ends' | 'decimal' | 'header' | 'encoding' | 'delimiter' | 'to' | 'key' | 'from' | 'field'
  /** One or two sentences. */
  message: string
  /** What may be answered: values of that property of the map, or names of columns. */
  choices: string[]
  /** The field of the set that has no column yet. */
  field?: string
  /** The columns that it is about. */
  columns?: string[]
}

export interface ImportInspection {
  name: string
  kind: 'csv' | 'xlsx' | 'xls'
  bytes: number
  /** Rows below the header. */
  rows: number
  /** Rows that could not be read, or have another number of cells than the others; the first of them by line. */
  oddRows: { total: number; lines: number[] }
  encoding: string | null
  encodingCertain: boolean
  /** Texts with letters beyond ASCII, to see whether the encoding was the right one. */
  lettered: string[]
  delimiter: string | null
  delimiterCertain: boolean
  sheets: string[]
  sheet: string | null
  /** The line of the row that names the columns; null if no row does. */
  header: number | null
  headerCertain: boolean
  /** The rows above the columns' names and the names themselves, as they were read. */
  above: { line: number; cells: string[] }[]
  columns: ColumnFacts[]
  /** The first rows, as they were read, each with its line. */
  sample: { line: number; cells: string[] }[]
  /** A map for the set that was named, without what `questions` asks; null where no set was named. */
  map: Record<string, unknown> | null
  questions: ImportQuestion[]
}

/** Whether the end that a column gives is the last day or the day after it. */
export const endQuestion = (column: string): ImportQuestion => ({
  about: 'to',
  message: `Does the day in "${column}" still count, or is it the first that no longer does?`,
  choices: ['inclusive', 'exclusive'],
  columns: [column],
})
