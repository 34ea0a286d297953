// The question of the list, and who receives the outcome (docs/reference/lookup-field.md).
import type { LookupOption, LookupSearch } from './types.ts'

/** The state of the field at the time of the request. */
export interface ListQuery {
  /** The typed text; the name of the record that is pointed at is not a query. */
  query: string
  search: LookupSearch | null
  minChars: number
  matchFields: string[]
  displayFields: string[]
}

export interface PickerHost {
  /** Null if the source must not be called. */
  listQuery(): ListQuery | null
  take(option: LookupOption): void
  /** A source threw, or returned something that cannot be read. */
  report(error: unknown): void
}
