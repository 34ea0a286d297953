// A world that notes which rows an evaluation asks for, so that a bundle carries those and no more.
import type { EvaluationWorld } from '../config/evaluate-bound.ts'
import { rowsOfKey } from '../config/slice-rows.ts'
import { narrowedSets } from '../config/narrowed-sets.ts'
import type { SetSlice } from '../config/slice-types.ts'
import type { KeyMap } from '../config/key-map.ts'

export interface Recording {
  world: EvaluationWorld
  /** Set or flag → keys of every entry of the business keys that were asked for. */
  entries: ReadonlyMap<string, ReadonlySet<string>>
  /** Set or flag → the business keys that were asked for; `SINGLETON` where there is none. */
  keys: ReadonlyMap<string, ReadonlySet<string>>
}

/** Wraps the sets that a binding names; the others stay as they are. */
export function recordingWorld(world: EvaluationWorld, sets: readonly string[]): Recording {
  const entries = new Map<string, Set<string>>()
  const keys = new Map<string, Set<string>>()
  for (const key of sets) {
    entries.set(key, new Set())
    keys.set(key, new Set())
  }
  const stand = (set: SetSlice): SetSlice => {
    const [read, asked] = [entries.get(set.set), keys.get(set.set)]
    if (read === undefined || asked === undefined) return set
    return { ...set, rowsByKey: noting(set.rowsByKey, read, asked) }
  }
  const narrowed = narrowedSets(world.slice.sets, () => true, stand)
  return { world: { ...world, slice: { ...world.slice, sets: narrowed } }, entries, keys }
}

/** Stands in for a map of rows: same answers, and a note of what was asked for. */
function noting(rows: KeyMap, read: Set<string>, asked: Set<string>): KeyMap {
  const stand: Pick<KeyMap, keyof KeyMap> = {
    get: (key) => {
      asked.add(key)
      const found = rows.get(key)
      if (found !== undefined) for (const { entry } of rowsOfKey(found)) read.add(entry)
      return found
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
