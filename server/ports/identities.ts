// The identity of a component, which its key is not: a rename keeps it, and a key that is used again has a new one.
import type { ComponentId } from '#kernel/components/component.ts'

/** Made by the store from the key and the generation that a component was added with; opaque to all others. */
export type ComponentIdentity = string & { readonly ComponentIdentity: true }

/** A span of generations in which a component had one key. */
export interface KeySpell {
  id: ComponentId
  from: number
  /** The generation that renamed or removed it; null while it is active. */
  to: number | null
}

/** A span of generations in which a component had the id in question. */
export interface Holder {
  identity: ComponentIdentity
  from: number
  /** The generation that renamed or removed it; null while it is active. */
  to: number | null
}

/** Whether a span of generations includes one; its end is not part of it. */
export function covers({ from, to }: Pick<KeySpell, 'from' | 'to'>, generation: number): boolean {
  return from <= generation && (to === null || generation < to)
}

export interface IdentityReads {
  /** Undefined if the generation does not hold the id. */
  identityOf(generation: number, id: ComponentId): ComponentIdentity | undefined
  /** Oldest first, without generations that were purged. */
  spellsOf(identity: ComponentIdentity): KeySpell[]
  /** The components that had this id, oldest first, as far as the org still knows. */
  holdersOf(id: ComponentId): Holder[]
  /**
   * Where the components of one generation are in a later one, by id: only those that have a different key there, or null
   * if they were removed and their key belongs to a different component. An entry that was removed and added again
   * counts as the same one, unless its set or flag is a different one.
   */
  movedBetween(from: number, to: number): Map<ComponentId, ComponentId | null>
}
