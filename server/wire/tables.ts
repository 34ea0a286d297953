// HTTP types of imports: a file previewed, or saved as drafts.
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { ChangeCounts } from '#kernel/change/change.ts'
import type { Budget } from '#kernel/change/plan.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { ChangeView } from './changes.ts'

export interface ImportFacts {
  rows: number
  keys: number
  entries: number
  /** Rows that the map excludes. */
  skipped: number
  /** Rows with an error, which are not imported. */
  refused: number
  /** Unchanged rows whose entries were edited or removed since their import: they are skipped. */
  keptAsEdited: number
  /** Null for a spreadsheet. */
  encoding: string | null
  delimiter: string | null
}

/** `POST /setup/v3/import/preview`. */
export interface ImportPreviewView<C = Component> {
  changes: ChangeView<C>[]
  /** Number of changes; the list can be truncated. */
  total: number
  counts: ChangeCounts
  /** Entries of the file that equal the existing ones. */
  unchanged: number
  /** Errors first. */
  findings: readonly Finding[]
  findingsTotal: number
  /** Whether rows of the file have errors. */
  rowsRefused: boolean
  budget: Budget
  facts: ImportFacts
}

/** `POST /setup/v3/import`. */
export interface ImportView<C = Component> {
  changes: ChangeView<C>[]
  findings: readonly Finding[]
  facts: ImportFacts
  /** The saved drafts; omitted for a dry run. */
  drafts?: ComponentId[]
}
