// Finds keys of entries without reading the entries: the key of an entry begins with that of its set.
import type { ComponentView } from '#kernel/components/view.ts'
import type { Visibility } from '../access/index.ts'

const keysByView = new WeakMap<ComponentView, readonly string[]>()

/** Returns all entry keys, ascending. Read once for each view; `view` is that of a generation, not of a reader. */
export function entryKeys(view: ComponentView): readonly string[] {
  let keys = keysByView.get(view)
  if (keys === undefined) keysByView.set(view, (keys = [...view.keys('config_entry')]))
  return keys
}

/** Returns the keys of the entries of a set or flag. */
export function entryKeysOf(view: ComponentView, set: string): readonly string[] {
  const keys = entryKeys(view)
  // "/" is the character after ".".
  return keys.slice(firstAtLeast(keys, `${set}.`), firstAtLeast(keys, `${set}/`))
}

/** Returns the keys of the entries whose values the caller can read. */
export function shownEntryKeys(view: ComponentView, visibility: Visibility): readonly string[] {
  const keys = entryKeys(view)
  const shown: (readonly string[])[] = []
  for (let at = 0; at < keys.length;) {
    const set = keys[at]!.slice(0, keys[at]!.indexOf('.'))
    const end = firstAtLeast(keys, `${set}/`)
    if (visibility.canSeeValues(set)) shown.push(keys.slice(at, end))
    at = end
  }
  return shown.length === 1 ? shown[0]! : shown.flat()
}

/** Returns the index of the first of ascending keys that is not below a text. */
export function firstAtLeast(keys: readonly string[], text: string): number {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (keys[middle]! < text) low = middle + 1
    else high = middle
  }
  return low
}
