// What a picked change needs of the same change list, and why, in a sentence (studio: "its dependencies come along, and
// say so"). Pure types and their short ways, also for the page.
import type { ComponentId } from '../../components/component.ts'

export type NeedKind =
  /** It names something that the list adds or renames. */
  | 'names_new'
  /** It reads a field that the list adds or gives another type. */
  | 'reads_field'
  /** A calc function and its callers, where parameters or result change. */
  | 'signature'
  /** What goes is still named until this change goes along. */
  | 'still_named'
  /** An entry and its set or flag. */
  | 'of_set'
  /** A value that a value set gains or loses. */
  | 'value'
  /** Ranges, scopes and priorities of one key hold together only. */
  | 'ranges'
  /** A set that is read has its org entry in the list. */
  | 'org_entry'
  /** A key that is free only once this change goes along. */
  | 'takes_key'

export interface Because {
  /** The picked change, or the one that came along, that needs it. */
  of: ComponentId
  kind: NeedKind
  /** One sentence. */
  reason: string
  /** Where `of` names it, a JSON pointer; left out where no one place does. */
  path?: string
}

export interface Need {
  /** The change that comes along. */
  id: ComponentId
  because: Because[]
}

export interface Closure {
  /** What was picked and is in the list. */
  picked: ComponentId[]
  /** What must come along, in the order of the list. */
  needed: Need[]
  /** What may stay. */
  free: ComponentId[]
}

/** One need of one change, as a rule finds it. */
export interface FoundNeed extends Omit<Because, 'of'> {
  id: ComponentId
}
