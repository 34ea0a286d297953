// What the list asks for, and how it is put to a source (specification 2.9, 3.4).
import type { LookupOption, LookupRequest, LookupSearch } from './types.ts'

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
}

export function requestOf({ matchFields, displayFields }: Question, signal: AbortSignal): LookupRequest {
  return { matchFields, displayFields, signal }
}

/** A record that is being made, as the answer of a source. */
export async function pageOf(
  made: LookupOption | null | Promise<LookupOption | null>,
): Promise<LookupOption[]> {
  const option = await made
  return option === null ? [] : [option]
}
