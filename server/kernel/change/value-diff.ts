// The value diff of two envelopes: path, before, after; array items by key, not by index
// (docs/reference/pipeline-and-approvals.md).
import { keyOfItems, type ItemKeys } from '../components/item-keys.ts'
import { pointer } from '../components/pointer.ts'
import type { JsonValue } from './canonical.ts'

export interface ValueChange {
  /** JSON pointer into the envelope; an item of a keyed array is addressed by its key, `/body/fields/rate/scale`. */
  path: string
  /** Undefined if the place did not exist. */
  before?: JsonValue
  /** Undefined if the place was removed. */
  after?: JsonValue
  /**
   * Whether only the order of the items of a keyed array differs; `before` and `after` then list the keys that both
   * sides have.
   */
  reordered?: true
}

/** Returns all differences; if a whole value is added or removed, only the outermost. Empty if the content is the same. */
export function diffValues(before: unknown, after: unknown, itemKeys: ItemKeys): ValueChange[] {
  const changes: ValueChange[] = []
  walk(before as JsonValue, after as JsonValue, [], [], itemKeys, changes)
  return changes
}

/** Compares content: the order of properties does not matter, the order of array items does. */
export function isSameContent(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let at = 0; at < a.length; at += 1) if (!isSameContent(a[at], b[at])) return false
    return true
  }
  if (Array.isArray(b)) return false
  let count = 0
  for (const name in a) {
    const value = (a as Record<string, unknown>)[name]
    if (value === undefined) continue
    if (!Object.hasOwn(b, name) || !isSameContent(value, (b as Record<string, unknown>)[name])) return false
    count += 1
  }
  for (const name in b) if ((b as Record<string, unknown>)[name] !== undefined) count -= 1
  return count === 0
}

function walk(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  place: readonly string[],
  pattern: readonly string[],
  itemKeys: ItemKeys,
  changes: ValueChange[],
): void {
  if (isSameContent(before, after)) return
  if (isRecord(before) && isRecord(after)) {
    for (const name of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort())
      walk(own(before, name), own(after, name), [...place, name], [...pattern, name], itemKeys, changes)
    return
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const key = keyOfItems(pattern, itemKeys)
    const [left, right] = key === null ? [null, null] : [byKey(before, key), byKey(after, key)]
    if (left !== null && right !== null) {
      const [was, is] = [keptKeys(left, right), keptKeys(right, left)]
      if (!isSameContent(was, is))
        changes.push({ path: pointer(...place), before: was, after: is, reordered: true })
      for (const name of [...new Set([...left.keys(), ...right.keys()])])
        walk(left.get(name), right.get(name), [...place, name], [...pattern, '*'], itemKeys, changes)
      return
    }
  }
  changes.push(change(place, before, after))
}

/** Reads only own properties, because a property can be called `valueOf`. */
function own(record: { [name: string]: JsonValue }, name: string): JsonValue | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function change(
  path: readonly string[],
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): ValueChange {
  const entry: ValueChange = { path: pointer(...path) }
  if (before !== undefined) entry.before = before
  if (after !== undefined) entry.after = after
  return entry
}

/** Returns the keys of items that are on both sides, in the order of the first side. */
function keptKeys(items: ReadonlyMap<string, JsonValue>, others: ReadonlyMap<string, JsonValue>): string[] {
  return [...items.keys()].filter((key) => others.has(key))
}

/** Null if an item has no such key, or two have the same: the array is then compared as a whole. */
function byKey(items: readonly JsonValue[], key: string): Map<string, JsonValue> | null {
  const map = new Map<string, JsonValue>()
  for (const item of items) {
    if (!isRecord(item)) return null
    const name = own(item, key)
    if ((typeof name !== 'string' && typeof name !== 'number') || map.has(String(name))) return null
    map.set(String(name), item)
  }
  return map
}

function isRecord(value: JsonValue | undefined): value is { [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
