// What the list asks for, and who hears what becomes of it (specification 2.9, 3.4).
import type { LookupOption, LookupSearch } from './types.ts'

/** What the list is about, at the moment it is asked for. */
export interface Question {
  /** What was typed; the name of the record that is pointed at is no query. */
  query: string
  search: LookupSearch | null
  minChars: number
  matchFields: string[]
  displayFields: string[]
}

export interface PickerHost {
  /** Null where nothing may be asked. */
  question(): Question | null
  take(option: LookupOption): void
  /** A source threw, or gave what cannot be read. */
  report(error: unknown): void
}
