// The changes of a list that a picked change needs, each with a reason in a sentence. Pure types and helpers, used also
// by the page.
import type { ComponentId } from '../../components/component.ts'

export type NeedKind =
  /** It refers to a component that the list adds or renames. */
  | 'names_new'
  /** It reads a field that the list adds or whose type the list changes. */
  | 'reads_field'
  /** A calc function and its callers, if parameters or result change. */
  | 'signature'
  /** A removed component is still referenced without this change. */
  | 'still_named'
  /** An entry and its set or flag. */
  | 'of_set'
  /** A value that a value set gains or loses. */
  | 'value'
  /** Ranges, scopes and priorities of one key are valid only together. */
  | 'ranges'
  /** A set that is read has its org entry in the list. */
  | 'org_entry'
  /** A key that is free only after this change. */
  | 'takes_key'

export interface NeedReason {
  /** The change that needs it: a picked one, or one that is itself needed. */
  of: ComponentId
  kind: NeedKind
  /** One sentence. */
  reason: string
  /** JSON pointer to the reference in `of`; omitted without a single place. */
  path?: string
}

export interface Need {
  /** The change that is needed. */
  id: ComponentId
  because: NeedReason[]
}

export interface Closure {
  /** The picked changes that are in the list. */
  picked: ComponentId[]
  /** The changes that are needed, in the order of the list. */
  needed: Need[]
  /** The changes that can be left out. */
  free: ComponentId[]
}

/** One need of one change, as a rule returns it. */
export interface FoundNeed extends Omit<NeedReason, 'of'> {
  id: ComponentId
}
