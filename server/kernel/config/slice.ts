// Materialises a set: turns entries into rows that are found by key, scope and day.
import type { Component, ComponentOf } from '../components/body-types.ts'
import { sortScopeKinds } from '../components/scopes.ts'
import { dayOf } from '../dates/civil-date.ts'
import type { Digest } from '../change/digest.ts'
import { KeyMap, type KeyMapBuilder } from './key-map.ts'
import { emptyRows, insertRow, rowsOfKey } from './slice-rows.ts'
import type { KeyRows, SetSlice, SliceField, SliceRow } from './slice-types.ts'

type Definition = ComponentOf<'config_set'> | ComponentOf<'feature_flag'>
type Entry = ComponentOf<'config_entry'>

/** All sets and flags of one generation. Immutable: a reader keeps the generation it started on. */
export interface GenerationSlice {
  generation: number
  sets: ReadonlyMap<string, SetSlice>
  bytes: number
}

/** The key of the rows of a singleton or flag. */
export const SINGLETON_KEY = ''

const rowOverhead = 96

/** Builds one set row by row, so a large set can be built in pieces between other work. */
export class SliceBuilder {
  readonly #definition: Definition
  readonly #keys: KeyMapBuilder
  /** Keys whose rows this builder can change; null if all. */
  readonly #opened: Set<string> | null
  #bytes: number

  /**
   * `from` continues an older slice of the same set: its keys are shared until `replaceKey` names them. A flag starts
   * with only its default, so its one key must always be named.
   */
  constructor(definition: Definition, from?: SetSlice) {
    this.#definition = definition
    this.#keys = (from?.rowsByKey ?? KeyMap.empty).edit()
    this.#opened = from === undefined ? null : new Set()
    this.#bytes = from?.bytes ?? 0
    if (definition.type === 'feature_flag') this.replaceKey(null, [])
  }

  /** Adds an entry of a new key, or of one that `replaceKey` has opened. */
  add(entry: Entry): void {
    const key = entry.body.key ?? SINGLETON_KEY
    let rows = this.#opened === null || this.#opened.has(key) ? this.#keys.get(key) : undefined
    if (rows === undefined) this.#open(key, (rows = emptyRows()))
    const row = rowOf(entry)
    insertRow(rows, row)
    this.#bytes += rowBytes(row, key)
  }

  /** Replaces the rows of a key (null for a singleton or flag) with these entries. */
  replaceKey(key: string | null, entries: Iterable<Entry>): void {
    const name = key ?? SINGLETON_KEY
    const before = this.#keys.get(name)
    if (before !== undefined) this.#bytes -= keyBytes(before, name)
    this.#keys.delete(name)
    if (this.#definition.type === 'feature_flag') this.#addDefault(this.#definition)
    for (const entry of entries) this.add(entry)
  }

  #open(key: string, rows: KeyRows): void {
    this.#keys.set(key, rows)
    this.#opened?.add(key)
  }

  finish(digest: Digest): SetSlice {
    const { type, key, body } = this.#definition
    const common = {
      set: key,
      digest,
      chain: sortScopeKinds(body.scopes),
      rowsByKey: this.#keys.finish(),
      bytes: this.#bytes,
    }
    if (type === 'feature_flag')
      return { ...common, kind: 'feature_flag', keyType: null, dated: false, fields: flagFields }
    const fields = body.fields.map((field) => ({
      key: field.key,
      type: field.type,
      scale: field.scale ?? null,
    }))
    return {
      ...common,
      kind: 'config_set',
      keyType: body.keyedBy?.type ?? null,
      dated: body.effectiveDated,
      fields,
    }
  }

  #addDefault(flag: ComponentOf<'feature_flag'>): void {
    const row = defaultRow(flag)
    const rows = emptyRows()
    insertRow(rows, row)
    this.#open(SINGLETON_KEY, rows)
    this.#bytes += rowBytes(row, SINGLETON_KEY)
  }
}

const flagFields: readonly SliceField[] = [{ key: 'value', type: 'boolean', scale: null }]

/** Builds the slice of one set or flag. */
export function buildSetSlice(definition: Definition, entries: Iterable<Entry>, digest: Digest): SetSlice {
  const builder = new SliceBuilder(definition)
  for (const entry of entries) builder.add(entry)
  return builder.finish(digest)
}

export interface KeyChange {
  /** Null for a singleton or a flag. */
  key: string | null
  /** All current entries of that key; none if the key was removed. */
  entries: Iterable<Entry>
}

/**
 * Returns the slice after some keys changed; the rows of all other keys are shared with `slice`. For a flag, always
 * pass its one key, null, with its entries: the default in the definition is one of its rows.
 */
export function updateSetSlice(
  slice: SetSlice,
  definition: Definition,
  changed: Iterable<KeyChange>,
  digest: Digest,
): SetSlice {
  const builder = new SliceBuilder(definition, slice)
  for (const { key, entries } of changed) builder.replaceKey(key, entries)
  return builder.finish(digest)
}

export function generationSlice(generation: number, sets: ReadonlyMap<string, SetSlice>): GenerationSlice {
  let bytes = 0
  for (const set of sets.values()) bytes += set.bytes
  return { generation, sets, bytes }
}

function rowOf({ key, body }: Entry): SliceRow {
  const { scope, effectiveFrom, effectiveTo, priority, values } = body
  return {
    entry: key,
    scope,
    from: effectiveFrom === undefined ? -Infinity : dayOf(effectiveFrom),
    to: effectiveTo == null ? Infinity : dayOf(effectiveTo),
    priority: priority ?? 0,
    values,
  }
}

function defaultRow({ key, body }: ComponentOf<'feature_flag'>): SliceRow {
  return {
    entry: key,
    scope: { kind: 'org' },
    from: -Infinity,
    to: Infinity,
    priority: 0,
    values: { value: body.default },
  }
}

/**
 * Returns the bytes of the slice of a set or flag that come from one component: an entry, or the default in the
 * definition of a flag. The bytes of a slice are the sum of these.
 */
export function bytesInSlice(component: Component): number {
  if (component.type === 'config_entry')
    return rowBytes(rowOf(component), component.body.key ?? SINGLETON_KEY)
  return component.type === 'feature_flag' ? rowBytes(defaultRow(component), SINGLETON_KEY) : 0
}

function keyBytes(rows: KeyRows, key: string): number {
  let bytes = 0
  for (const row of rowsOfKey(rows)) bytes += rowBytes(row, key)
  return bytes
}

/**
 * Returns the size of a row in the slice budget: a fixed part for numbers and links, plus the UTF-8 bytes of its texts.
 */
function rowBytes(row: SliceRow, key: string): number {
  let bytes = rowOverhead + row.entry.length + utf8Bytes(key)
  for (const name in row.values) {
    const value = row.values[name]
    bytes += name.length + (typeof value === 'string' ? utf8Bytes(value) : 8)
  }
  return bytes
}

/** Counts UTF-8 bytes without encoding the text. */
function utf8Bytes(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    // A surrogate pair is four bytes: one extra byte for each of its two units.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return bytes
}
