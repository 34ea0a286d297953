// Materialises the sets of a view key by key as they are read, for reads of a few keys of a generation or candidate
// that is not otherwise in use. The cost depends on the keys read, not on the size of the set.
import type { ComponentOf } from '../components/body-types.ts'
import type { ComponentView } from '../components/view.ts'
import type { Digest } from '../change/digest.ts'
import type { EvaluationSnapshot } from './bound-evaluation.ts'
import { KeyMap } from './key-map.ts'
import { SINGLETON_KEY, SliceBuilder } from './slice.ts'
import type { KeyRows, SetSlice } from './slice-types.ts'

type Definition = ComponentOf<'config_set'> | ComponentOf<'feature_flag'>

/** Returns the same rows as the whole map; `keys` lists only the keys that were read. */
class LazyKeyMap extends KeyMap {
  readonly #definition: Definition
  readonly #view: ComponentView
  readonly #read = new Map<string, KeyRows | undefined>()

  constructor(definition: Definition, view: ComponentView) {
    super([new Map()])
    this.#definition = definition
    this.#view = view
  }

  override get(key: string): KeyRows | undefined {
    if (!this.#read.has(key)) this.#read.set(key, this.#rows(key))
    return this.#read.get(key)
  }

  override *keys(): Iterable<string> {
    for (const [key, rows] of this.#read) if (rows !== undefined) yield key
  }

  #rows(key: string): KeyRows | undefined {
    const builder = new SliceBuilder(this.#definition)
    const name = key === SINGLETON_KEY ? null : key
    builder.replaceKey(name, this.#view.entriesAt(this.#definition.key, name))
    return builder.finish('' as Digest).rowsByKey.get(key)
  }
}

/** Returns the slice of one set or flag; its digest is empty, because the set is not read in full. */
export function lazySetSlice(definition: Definition, view: ComponentView): SetSlice {
  const empty = new SliceBuilder(definition).finish('' as Digest)
  return { ...empty, rowsByKey: new LazyKeyMap(definition, view) }
}

/**
 * Returns a snapshot over any view, with sets read key by key. Its bindings have no digests: use it for values only.
 */
export function lazySnapshot(view: ComponentView, generation: number): EvaluationSnapshot {
  const cache = new Map<string, SetSlice | undefined>()
  const sets = {
    get: (set: string): SetSlice | undefined => {
      if (!cache.has(set)) {
        const definition = view.get('config_set', set) ?? view.get('feature_flag', set)
        cache.set(set, definition === undefined ? undefined : lazySetSlice(definition, view))
      }
      return cache.get(set)
    },
    has: (set: string) => view.has('config_set', set) || view.has('feature_flag', set),
    *keys() {
      yield* view.keys('config_set')
      yield* view.keys('feature_flag')
    },
  }
  return { generation, view, slice: { generation, sets: sets as ReadonlyMap<string, SetSlice>, bytes: 0 } }
}
