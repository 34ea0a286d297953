// Records which rows an evaluation reads, so a bundle contains only those.
import type { EvaluationSnapshot } from '../config/bound-evaluation.ts'
import { rowsOfKey } from '../config/slice-rows.ts'
import { filterSets } from '../config/filtered-sets.ts'
import type { SetSlice } from '../config/slice-types.ts'
import type { KeyMap } from '../config/key-map.ts'

export interface ReadRecording<S extends EvaluationSnapshot = EvaluationSnapshot> {
  snapshot: S
  /** Set or flag → keys of every entry of the business keys that were read. */
  entries: ReadonlyMap<string, ReadonlySet<string>>
  /** Set or flag → the business keys that were read; `SINGLETON_KEY` for a singleton or flag. */
  keys: ReadonlyMap<string, ReadonlySet<string>>
}

/** Wraps the sets that a binding names; the others are not recorded. */
export function recordingSnapshot<S extends EvaluationSnapshot>(
  snapshot: S,
  sets: readonly string[],
): ReadRecording<S> {
  const entries = new Map<string, Set<string>>()
  const keys = new Map<string, Set<string>>()
  for (const key of sets) {
    entries.set(key, new Set())
    keys.set(key, new Set())
  }
  const stand = (set: SetSlice): SetSlice => {
    const [read, keysRead] = [entries.get(set.set), keys.get(set.set)]
    if (read === undefined || keysRead === undefined) return set
    return { ...set, rowsByKey: recordingKeyMap(set.rowsByKey, read, keysRead) }
  }
  const narrowed = filterSets(snapshot.slice.sets, () => true, stand)
  return { snapshot: { ...snapshot, slice: { ...snapshot.slice, sets: narrowed } }, entries, keys }
}

/** Wraps a map of rows: returns the same rows and records which were read. */
function recordingKeyMap(rows: KeyMap, read: Set<string>, keysRead: Set<string>): KeyMap {
  const stand: Pick<KeyMap, keyof KeyMap> = {
    get: (key) => {
      keysRead.add(key)
      const row = rows.get(key)
      if (row !== undefined) for (const { entry } of rowsOfKey(row)) read.add(entry)
      return row
    },
    get size() {
      return rows.size
    },
    keys: () => rows.keys(),
    values: () => rows.values(),
    edit: () => rows.edit(),
    pack: () => rows.pack(),
  }
  return stand as KeyMap
}
