// The identity of a component, which differs from its key: a rename keeps it, and a reused key has a new one.
import type { EarlierField, FieldId } from '#kernel/records/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'

/** Made by the store from the key and generation with which a component was added; opaque to all other modules. */
export type ComponentIdentity = string & { readonly ComponentIdentity: true }

/** A span of generations in which a component had one key. */
export interface KeyPeriod {
  id: ComponentId
  from: number
  /** The generation that renamed or removed it; null while it is active. */
  to: number | null
}

/** A span of generations in which a component had the id in question. */
export interface KeyHolder {
  identity: ComponentIdentity
  from: number
  /** The generation that renamed or removed it; null while it is active. */
  to: number | null
}

/** Whether a span of generations includes one; the end is exclusive. */
export function includesGeneration(
  { from, to }: Pick<KeyPeriod, 'from' | 'to'>,
  generation: number,
): boolean {
  return from <= generation && (to === null || generation < to)
}

export interface IdentityReader {
  /** The identities of the fields of an object, by key; empty if the object does not exist in the generation. */
  fields(generation: number, object: string): ReadonlyMap<string, FieldId>
  /** The fields of an object in a generation, even if it had a different key then. */
  fieldsOf(generation: number, object: ComponentIdentity): readonly EarlierField[]
  /** The generations that added or changed an object, the newest first. */
  objectVersions(object: ComponentIdentity): number[]
  /** The keys that a component has had, as far as they are known: the first one always is. */
  keysOf(identity: ComponentIdentity): string[]
  /** Undefined if the id does not exist in the generation. */
  at(generation: number, id: ComponentId): ComponentIdentity | undefined
  /** Oldest first, without purged generations. */
  keyPeriods(identity: ComponentIdentity): KeyPeriod[]
  /** The components that had this id, oldest first, as far as the history goes back. */
  holders(id: ComponentId): KeyHolder[]
  /**
   * The ids of one generation's components in a later one: only those with a different key there, or null if they were
   * removed and their key belongs to another component. An entry that was removed and added again counts as the
   * same one, unless its set or flag is a different one.
   */
  keyMovesBetween(from: number, to: number): Map<ComponentId, ComponentId | null>
}
