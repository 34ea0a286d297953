// A copy, on this machine, of what is typed and not saved yet: it is there again when the window is closed or loaded
// again. The windows of one user share it; each keeps only the entries that it has changed.
import { watch, type WatchSource } from 'vue'
import { closingCopy } from './closing-copy.ts'
import { UnsavedRowsStore } from './unsaved-rows-store.ts'

interface Kept<Entry> {
  /** What `entries` reads. */
  sources: (WatchSource | object)[]
  /** What is not saved yet: JSON, under a key of its own. */
  entries: () => Entry[]
  /** Called for each entry of the copy, at most once. What was typed in the meantime takes precedence. */
  restore: (entry: Entry) => void
}

/** Keeps the entries under a name. Resolves once what an earlier window has left is restored. */
export function keepUnsavedCopy<Entry extends readonly [key: string, ...rest: unknown[]]>(
  name: string,
  { sources, entries, restore }: Kept<Entry>,
): Promise<void> {
  const store = new UnsavedRowsStore<Entry[]>(name)
  const closing = closingCopy<Changed<Entry>>(name)
  /** The entries as they were last restored or written, as JSON. */
  let known = new Map<string, string>()
  /** The keys whose entries this window has changed; the others belong to other windows. */
  const touched = new Set<string>()

  // The browser stores no proxies.
  const changed = (): Changed<Entry> => ({
    keys: [...touched],
    entries: [...known].flatMap(([key, text]) => (touched.has(key) ? [JSON.parse(text) as Entry] : [])),
  })
  const write = (): void => {
    const mine = changed()
    store.update((stored) => merged(stored ?? [], mine))
  }
  watch(sources, () => {
    const written = new Map(entries().map((entry) => [entry[0], JSON.stringify(entry)]))
    for (const key of [...known.keys(), ...written.keys()])
      if (known.get(key) !== written.get(key)) touched.add(key)
    known = written
    write()
  })
  closing.onClose(() => (store.isWriting ? changed() : null), write)

  return store.read().then((found) => {
    let stored = found ?? []
    const left = closing.take()
    for (const change of left) {
      stored = merged(stored, change) ?? []
      // Until they are written, they are what this window has changed.
      for (const key of change.keys) touched.add(key)
    }
    const typedSince = new Set(known.keys())
    for (const entry of stored) {
      restore(entry)
      if (!typedSince.has(entry[0])) known.set(entry[0], JSON.stringify(entry))
    }
    if (left.length > 0) write()
  })
}

interface Changed<Entry> {
  keys: string[]
  /** Those that are left of these keys. */
  entries: Entry[]
}

/** What is stored, with the changes of one window. Null for nothing. */
function merged<Entry extends readonly [key: string, ...rest: unknown[]]>(
  stored: Entry[],
  { keys, entries }: Changed<Entry>,
): Entry[] | null {
  const others = stored.filter(([key]) => !keys.includes(key))
  return others.length + entries.length === 0 ? null : [...others, ...entries]
}
