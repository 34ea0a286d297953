// A view in memory: for tests, for drafts of the studio, and for candidates from a directory.
import type { Component, ComponentOf } from './body-types.ts'
import { componentTypes, type ComponentType } from './component.ts'
import type { ServiceTypes } from './external-service/service-types.ts'
import type { ComponentView } from './view.ts'

/** Components by type and key, with entries grouped by set and business key. Built lazily per set. */
export class MemoryView implements ComponentView {
  readonly #byType: ReadonlyMap<ComponentType, ReadonlyMap<string, Component>>
  readonly #services: ReadonlyMap<string, ServiceTypes>
  #entries: Map<string, Map<string | null, ComponentOf<'config_entry'>[]>> | undefined

  /** @param services the types of descriptions, by hash */
  constructor(components: Iterable<Component>, services: ReadonlyMap<string, ServiceTypes> = new Map()) {
    this.#services = services
    const byType = new Map<ComponentType, Map<string, Component>>()
    for (const type of componentTypes) byType.set(type, new Map())
    const sorted = [...components].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    for (const component of sorted) byType.get(component.type)!.set(component.key, component)
    this.#byType = byType
  }

  get<T extends ComponentType>(type: T, key: string): ComponentOf<T> | undefined {
    return this.#byType.get(type)?.get(key) as ComponentOf<T> | undefined
  }

  has(type: ComponentType, key: string): boolean {
    return this.#byType.get(type)?.has(key) ?? false
  }

  keys(type: ComponentType): Iterable<string> {
    return this.#byType.get(type)!.keys()
  }

  list<T extends ComponentType>(type: T): Iterable<ComponentOf<T>> {
    return this.#byType.get(type)!.values() as Iterable<ComponentOf<T>>
  }

  *entriesOf(set: string): Iterable<ComponentOf<'config_entry'>> {
    for (const group of this.#grouped().get(set)?.values() ?? []) yield* group
  }

  entriesAt(set: string, businessKey: string | null): Iterable<ComponentOf<'config_entry'>> {
    return this.#grouped().get(set)?.get(businessKey) ?? []
  }

  count(type: ComponentType): number {
    return this.#byType.get(type)!.size
  }

  serviceTypes(hash: string): ServiceTypes | undefined {
    return this.#services.get(hash)
  }

  *all(): Iterable<Component> {
    for (const byKey of this.#byType.values()) yield* byKey.values()
  }

  #grouped(): Map<string, Map<string | null, ComponentOf<'config_entry'>[]>> {
    if (this.#entries !== undefined) return this.#entries
    const bySet = new Map<string, Map<string | null, ComponentOf<'config_entry'>[]>>()
    for (const entry of this.list('config_entry')) {
      let byKey = bySet.get(entry.body.set)
      if (byKey === undefined) bySet.set(entry.body.set, (byKey = new Map()))
      const businessKey = entry.body.key === undefined ? null : String(entry.body.key)
      const group = byKey.get(businessKey)
      if (group === undefined) byKey.set(businessKey, [entry])
      else group.push(entry)
    }
    this.#entries = bySet
    return bySet
  }
}
