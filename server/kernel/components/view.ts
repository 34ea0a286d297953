// A read-only view of one whole generation, or of a candidate for one.
import type { Component, ComponentOf } from './body-types.ts'
import type { ComponentType } from './component.ts'
import type { ServiceTypes } from './external-service/service-types.ts'

/**
 * The view for rules, expressions and slices. Synchronous, so that it can be backed by memory or by SQLite.
 * Every component in a view is parsed and normalised.
 */
export interface ComponentView {
  get<T extends ComponentType>(type: T, key: string): ComponentOf<T> | undefined
  has(type: ComponentType, key: string): boolean
  /** Keys of one type, ascending by code unit. */
  keys(type: ComponentType): Iterable<string>
  list<T extends ComponentType>(type: T): Iterable<ComponentOf<T>>
  /** The entries whose `set` is this set or flag, in no particular order. */
  entriesOf(set: string): Iterable<ComponentOf<'config_entry'>>
  /** The entries of one business key (normalised text; null for a singleton or a flag), in no order. */
  entriesAt(set: string, businessKey: string | null): Iterable<ComponentOf<'config_entry'>>
  count(type: ComponentType): number
  /** The types of a bundled description, by its hash (`oas1:sha256:…`); undefined if it is not stored. */
  serviceTypes(hash: string): ServiceTypes | undefined
  all(): Iterable<Component>
}
