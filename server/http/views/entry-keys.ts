// Keys of entries without reading the entries: an entry's key begins with that of its set (completions 1).
import type { ComponentView } from '#kernel/components/view.ts'
import type { Visibility } from '../../access/index.ts'

const known = new WeakMap<ComponentView, readonly string[]>()

/** Every entry's key, ascending. Read once for a view; `view` is that of a generation, not one made for a reader. */
export function entryKeys(view: ComponentView): readonly string[] {
  let keys = known.get(view)
  if (keys === undefined) known.set(view, (keys = [...view.keys('config_entry')]))
  return keys
}

/** The keys of one set's or flag's entries. */
export function entryKeysOf(view: ComponentView, set: string): readonly string[] {
  const keys = entryKeys(view)
  // "/" is the character after ".".
  return keys.slice(firstAtLeast(keys, `${set}.`), firstAtLeast(keys, `${set}/`))
}

/** The keys of the entries whose values somebody may read. */
export function shownEntryKeys(view: ComponentView, visibility: Visibility): readonly string[] {
  const sets = new Map<string, boolean>()
  const shown = (set: string): boolean => {
    if (!sets.has(set)) sets.set(set, visibility.values(set))
    return sets.get(set) === true
  }
  return entryKeys(view).filter((key) => shown(key.slice(0, key.indexOf('.'))))
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
