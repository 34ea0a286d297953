// A candidate as a view: the base with components added, replaced and removed.
import type { Component, ComponentOf } from '../components/body-types.ts'
import type { ComponentType } from '../components/component.ts'
import type { ServiceTypes } from '../components/external-service/service-types.ts'
import type { ComponentView } from '../components/view.ts'

type Entry = ComponentOf<'config_entry'>

const mostKnown = 1024

/** The cost depends on the changes, not on the size of the base. */
export class OverlayView implements ComponentView {
  readonly #base: ComponentView | null
  readonly #put = new Map<ComponentType, Map<string, Component>>()
  readonly #removed = new Map<ComponentType, Set<string>>()
  readonly #entries = new Map<string, Map<string | null, Map<string, Entry>>>()
  /** Components of the base other than entries, by id: many entries read the same few definitions. */
  readonly #known = new Map<string, Component>()
  /** Whether the base has entries of a set. */
  readonly #owners = new Map<string, boolean>()

  constructor(base: ComponentView | null) {
    this.#base = base
  }

  put(component: Component): void {
    const before = this.#put.get(component.type)?.get(component.key)
    if (before?.type === 'config_entry') this.#ungroup(before)
    this.#removed.get(component.type)?.delete(component.key)
    child(this.#put, component.type, () => new Map<string, Component>()).set(component.key, component)
    if (component.type === 'config_entry') this.#group(component)
  }

  remove(type: ComponentType, key: string): void {
    const before = this.#put.get(type)?.get(key)
    if (before?.type === 'config_entry') this.#ungroup(before)
    this.#put.get(type)?.delete(key)
    if (this.#base?.has(type, key) === true) child(this.#removed, type, () => new Set<string>()).add(key)
  }

  get<T extends ComponentType>(type: T, key: string): ComponentOf<T> | undefined {
    const put = this.#put.get(type)?.get(key)
    if (put !== undefined) return put as ComponentOf<T>
    return this.#removed.get(type)?.has(key) === true ? undefined : this.#ofBase(type, key)
  }

  has(type: ComponentType, key: string): boolean {
    if (this.#put.get(type)?.has(key) === true) return true
    if (this.#removed.get(type)?.has(key) === true) return false
    return this.#known.has(`${type}/${key}`) || this.#base?.has(type, key) === true
  }

  keys(type: ComponentType): Iterable<string> {
    const put = this.#put.get(type)
    const removed = this.#removed.get(type)
    if ((put === undefined || put.size === 0) && removed === undefined) return this.#base?.keys(type) ?? []
    const keys = [...(put?.keys() ?? [])]
    for (const key of this.#base?.keys(type) ?? [])
      if (put?.has(key) !== true && removed?.has(key) !== true) keys.push(key)
    return keys.sort()
  }

  *list<T extends ComponentType>(type: T): Iterable<ComponentOf<T>> {
    for (const key of this.keys(type)) yield this.get(type, key)!
  }

  *entriesOf(set: string): Iterable<Entry> {
    for (const entry of this.#base?.entriesOf(set) ?? []) if (this.#shows(entry)) yield entry
    for (const group of this.#entries.get(set)?.values() ?? []) yield* group.values()
  }

  *entriesAt(set: string, businessKey: string | null): Iterable<Entry> {
    if (this.#baseHasEntries(set))
      for (const entry of this.#base!.entriesAt(set, businessKey)) if (this.#shows(entry)) yield entry
    yield* this.#entries.get(set)?.get(businessKey)?.values() ?? []
  }

  count(type: ComponentType): number {
    let count = (this.#base?.count(type) ?? 0) - (this.#removed.get(type)?.size ?? 0)
    for (const key of this.#put.get(type)?.keys() ?? []) if (this.#base?.has(type, key) !== true) count += 1
    return count
  }

  serviceTypes(hash: string): ServiceTypes | undefined {
    return this.#base?.serviceTypes(hash)
  }

  *all(): Iterable<Component> {
    for (const component of this.#base?.all() ?? []) if (this.#shows(component)) yield component
    for (const byKey of this.#put.values()) yield* byKey.values()
  }

  #ofBase<T extends ComponentType>(type: T, key: string): ComponentOf<T> | undefined {
    if (type === 'config_entry') return this.#base?.get(type, key)
    const id = `${type}/${key}`
    const known = this.#known.get(id)
    if (known !== undefined) return known as ComponentOf<T>
    const component = this.#base?.get(type, key)
    if (this.#known.size === mostKnown) this.#known.clear()
    if (component !== undefined) this.#known.set(id, component as Component)
    return component
  }

  /** Avoids looking up each key of a new set in the base. */
  #baseHasEntries(set: string): boolean {
    const known = this.#owners.get(set)
    if (known !== undefined) return known
    let hasEntries = false
    for (const _ of this.#base?.entriesOf(set) ?? []) {
      hasEntries = true
      break
    }
    this.#owners.set(set, hasEntries)
    return hasEntries
  }

  /** Whether a component of the base is neither replaced nor removed. */
  #shows({ type, key }: Component): boolean {
    return this.#put.get(type)?.has(key) !== true && this.#removed.get(type)?.has(key) !== true
  }

  #group(entry: Entry): void {
    const byKey = child(this.#entries, entry.body.set, () => new Map<string | null, Map<string, Entry>>())
    child(byKey, businessKeyOf(entry), () => new Map<string, Entry>()).set(entry.key, entry)
  }

  #ungroup(entry: Entry): void {
    this.#entries.get(entry.body.set)?.get(businessKeyOf(entry))?.delete(entry.key)
  }
}

export function businessKeyOf(entry: Entry): string | null {
  return entry.body.key ?? null
}

function child<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const value = make()
  map.set(key, value)
  return value
}
