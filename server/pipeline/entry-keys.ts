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
  const sets = new Map<string, boolean>()
  const isVisible = (set: string): boolean => {
    if (!sets.has(set)) sets.set(set, visibility.canSeeValues(set))
    return sets.get(set) === true
  }
  return entryKeys(view).filter((key) => isVisible(key.slice(0, key.indexOf('.'))))
}

function firstAtLeast(keys: readonly string[], text: string): number {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (keys[middle]! < text) low = middle + 1
    else high = middle
  }
  return low
}
