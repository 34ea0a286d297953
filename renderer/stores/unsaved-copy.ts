// A copy, on this machine, of what is typed and not saved yet: it is there again when the window is closed or loaded
// again. The windows of one user share it; each keeps only the entries that it has changed.
import { watch, type WatchSource } from 'vue'
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
  /** The entries as they were last restored or written, as JSON. */
  let known = new Map<string, string>()
  /** The keys whose entries this window has changed; the others belong to other windows. */
  const touched = new Set<string>()
  watch(sources, () => {
    const written = new Map(entries().map((entry) => [entry[0], JSON.stringify(entry)]))
    for (const key of [...known.keys(), ...written.keys()])
      if (known.get(key) !== written.get(key)) touched.add(key)
    known = written
    // The browser stores no proxies.
    const mine = [...written].flatMap(([key, text]) => (touched.has(key) ? [JSON.parse(text) as Entry] : []))
    store.update((stored) => {
      const others = (stored ?? []).filter(([key]) => !touched.has(key))
      return mine.length + others.length === 0 ? null : [...others, ...mine]
    })
  })
  return store.read().then((found) => {
    for (const entry of found ?? []) {
      restore(entry)
      if (!touched.has(entry[0])) known.set(entry[0], JSON.stringify(entry))
    }
  })
}
