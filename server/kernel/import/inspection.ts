// The inspection of a file before it is imported: its form, its columns, a suggested map and the open questions. Shared
// by server, command line and studio.
import type { ColumnProfile } from './columns.ts'

/**
 * A choice that the file leaves open. It is asked, never guessed; until it is answered, the map does not contain it.
 */
export interface ImportQuestion {
  about: 'dates' | 'ends' | 'decimal' | 'header' | 'encoding' | 'delimiter' | 'to' | 'key' | 'from' | 'field'
  /** One or two sentences. */
  message: string
  /** The possible answers: values of that property of the map, or names of columns. */
  choices: string[]
  /** The field of the set that has no column yet. */
  field?: string
  /** The columns that the question is about. */
  columns?: string[]
}

export interface ImportInspection {
  name: string
  kind: 'csv' | 'xlsx' | 'xls'
  bytes: number
  /** Rows below the header. */
  rows: number
  /**
   * Rows that could not be read, or have a different number of cells than the others; lists the first of them by line.
   */
  oddRows: { total: number; lines: number[] }
  encoding: string | null
  encodingCertain: boolean
  /** Texts with letters beyond ASCII, to check the encoding. */
  lettered: string[]
  delimiter: string | null
  delimiterCertain: boolean
  sheets: string[]
  sheet: string | null
  /** The line of the header row; null without a header. */
  header: number | null
  headerCertain: boolean
  /** The rows above the header and the header itself, as read. */
  above: { line: number; cells: string[] }[]
  columns: ColumnProfile[]
  /** The first rows, as read, each with its line. */
  sample: { line: number; cells: string[] }[]
  /** A map for the named set, without the parts that `questions` asks about; null if no set was named. */
  map: Record<string, unknown> | null
  questions: ImportQuestion[]
}

/** Asks whether the end in a column is the last day that is included or the day after it. */
export const endQuestion = (column: string): ImportQuestion => ({
  about: 'to',
  message: `Is the date in "${column}" the last day on which the row applies, or the first day on which it no longer applies?`,
  choices: ['inclusive', 'exclusive'],
  columns: [column],
})
