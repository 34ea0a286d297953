// A lazy view of one generation. A generation never changes, so the view stays valid after the read that created it.
import type { Component, ComponentOf } from '#kernel/components/body-types.ts'
import { componentTypes, type ComponentType } from '#kernel/components/component.ts'
import type { ServiceTypes } from '#kernel/components/external-service/service-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { DescriptionReader } from '../../ports/descriptions.ts'
import { all, one, type Db } from './db.ts'
import { damagedComponentError, verifyComponent } from './verified-content.ts'
import type { RecentCache } from '#kernel/memo/recent-cache.ts'

/** Number of rows per step of a long iteration: no statement stays open between two steps. */
const PAGE = 200

interface StoredRow {
  key: string
  digest: string
  json: string
}

const AT = 'p.from_gen <= ? AND p.to_gen > ?'
const WITH_CONTENT = 'SELECT p.key, p.digest, c.json FROM placement p JOIN content c ON c.digest = p.digest'

/** Maximum number of digests that one view remembers. */
const mostDigests = 10_000

/** After this many reads of single digests of a type, all of them are read, if they fit one page. */
const manyReads = 50

/** Recently read components, by digest: a version is the same object in every generation that contains it. */
export type ParsedCache = RecentCache<Component>

export class GenerationView implements ComponentView {
  readonly generation: number
  readonly #db: Db
  readonly #cache: ParsedCache
  readonly #descriptions: DescriptionReader
  // A check of a long list asks for the same few things again and again, and a statement costs more than its answer.
  /** Digests by id, except those of entries; undefined for a component that does not exist. */
  readonly #digests = new Map<string, string | undefined>()
  /** Digests by key, of types that fit one page, ordered by key; null for a longer type. */
  readonly #shortTypes = new Map<ComponentType, ReadonlyMap<string, string> | null>()
  /** How many digests were read of a type. */
  readonly #digestReads = new Map<ComponentType, number>()
  /** The entries that were read last: a list is compared with its base key by key. */
  #lastEntries: { set: string; businessKey: string | null; entries: ComponentOf<'config_entry'>[] } | null =
    null

  constructor(db: Db, generation: number, cache: ParsedCache, descriptions: DescriptionReader) {
    this.generation = generation
    this.#db = db
    this.#cache = cache
    this.#descriptions = descriptions
  }

  get<T extends ComponentType>(type: T, key: string): ComponentOf<T> | undefined {
    const digest = this.#digest(type, key)
    if (digest === undefined) return undefined
    const known = this.#cache.get(digest)
    if (known !== undefined) return requireNamed(known, type, key) as ComponentOf<T>
    const json = one<{ json: string }>(this.#db, 'SELECT json FROM content WHERE digest = ?', digest)?.json
    if (json === undefined) throw damagedComponentError(`${type}/${key}`)
    const component = verifyComponent(`${type}/${key}`, digest, json)
    this.#cache.put(digest, component, json.length)
    return component as ComponentOf<T>
  }

  has(type: ComponentType, key: string): boolean {
    return this.#digest(type, key) !== undefined
  }

  *keys(type: ComponentType): Iterable<string> {
    const short = this.#shortTypes.get(type)
    if (short) return yield* short.keys()
    let after = ''
    for (;;) {
      const page = this.#keyPage(type, after)
      if (after === '') this.#rememberShort(type, page)
      for (const { key } of page) yield key
      if (page.length < PAGE) return
      after = page.at(-1)!.key
    }
  }

  list<T extends ComponentType>(type: T): Iterable<ComponentOf<T>> {
    return this.#walk(type, '', '\u{10ffff}') as Iterable<ComponentOf<T>>
  }

  entriesOf(set: string): Iterable<ComponentOf<'config_entry'>> {
    // An entry's key is <set>.<slug>, and "/" follows "." in sort order.
    return this.#walk('config_entry', `${set}.`, `${set}/`) as Iterable<ComponentOf<'config_entry'>>
  }

  entriesAt(set: string, businessKey: string | null): Iterable<ComponentOf<'config_entry'>> {
    const last = this.#lastEntries
    if (last?.set === set && last.businessKey === businessKey) return last.entries
    const sql = `${WITH_CONTENT} WHERE p.set_key = ? AND p.business_key IS ? AND ${AT}`
    const rows = all<StoredRow>(this.#db, sql, set, businessKey, this.generation, this.generation)
    // SQLite would build an index for these few rows, which takes longer than reading them.
    rows.sort((a, b) => (a.key < b.key ? -1 : 1))
    const entries = rows.map((row) => this.#parsed('config_entry', row, true) as ComponentOf<'config_entry'>)
    this.#lastEntries = { set, businessKey, entries }
    return entries
  }

  count(type: ComponentType): number {
    const sql = `SELECT count(*) AS n FROM placement p WHERE p.type = ? AND ${AT}`
    return one<{ n: number }>(this.#db, sql, type, this.generation, this.generation)!.n
  }

  serviceTypes(hash: string): ServiceTypes | undefined {
    return this.#descriptions.types(hash)
  }

  *all(): Iterable<Component> {
    for (const type of componentTypes) yield* this.#walk(type, '', '\u{10ffff}')
  }

  #digest(type: ComponentType, key: string): string | undefined {
    if (type === 'config_entry') return this.#readDigest(type, key)
    const short = this.#shortTypes.get(type)
    if (short) return short.get(key)
    const id = `${type}/${key}`
    const known = this.#digests.get(id)
    if (known !== undefined || this.#digests.has(id)) return known
    if (short === undefined && this.#countRead(type) > manyReads) {
      this.#rememberShort(type, this.#keyPage(type, ''))
      return this.#digest(type, key)
    }
    const digest = this.#readDigest(type, key)
    if (this.#digests.size === mostDigests) this.#digests.clear()
    this.#digests.set(id, digest)
    return digest
  }

  #countRead(type: ComponentType): number {
    const count = (this.#digestReads.get(type) ?? 0) + 1
    this.#digestReads.set(type, count)
    return count
  }

  #keyPage(type: ComponentType, after: string): { key: string; digest: string }[] {
    const sql = `SELECT p.key, p.digest FROM placement p WHERE p.type = ? AND p.key > ? AND ${AT} ORDER BY p.key LIMIT ${PAGE}`
    return all(this.#db, sql, type, after, this.generation, this.generation)
  }

  #rememberShort(type: ComponentType, firstPage: readonly { key: string; digest: string }[]): void {
    const isShort = firstPage.length < PAGE
    this.#shortTypes.set(type, isShort ? new Map(firstPage.map(({ key, digest }) => [key, digest])) : null)
  }

  #readDigest(type: ComponentType, key: string): string | undefined {
    const sql = `SELECT p.digest FROM placement p WHERE p.type = ? AND p.key = ? AND ${AT}`
    return one<{ digest: string }>(this.#db, sql, type, key, this.generation, this.generation)?.digest
  }

  *#walk(type: ComponentType, from: string, below: string): Iterable<Component> {
    const sql = `${WITH_CONTENT} WHERE p.type = ? AND p.key > ? AND p.key < ? AND ${AT} ORDER BY p.key LIMIT ${PAGE}`
    let after = from
    for (;;) {
      const page = all<StoredRow>(this.#db, sql, type, after, below, this.generation, this.generation)
      for (const row of page) yield this.#parsed(type, row, false)
      if (page.length < PAGE) return
      after = page.at(-1)!.key
    }
  }

  /** Iterating over everything must not evict what is read often. */
  #parsed(type: ComponentType, row: StoredRow, keep: boolean): Component {
    const known = this.#cache.get(row.digest)
    if (known !== undefined) return requireNamed(known, type, row.key)
    const component = verifyComponent(`${type}/${row.key}`, row.digest, row.json)
    if (keep) this.#cache.put(row.digest, component, row.json.length)
    return component
  }
}

/** @throws AlmanacError storage.damaged if a row names the version of another component */
function requireNamed(component: Component, type: ComponentType, key: string): Component {
  if (component.type !== type || component.key !== key) throw damagedComponentError(`${type}/${key}`)
  return component
}
