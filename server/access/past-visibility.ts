// What a viewer sees of an older generation. Today's access applies, and it belongs to the component and not to its
// key: a set or flag is visible by its current grants, under any key, and a removed one by its last grants.
import { componentId, splitId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { GenerationReader } from '../ports/generations.ts'
import {
  includesGeneration,
  type ComponentIdentity,
  type IdentityReader,
  type KeyHolder,
  type KeyPeriod,
} from '../ports/identities.ts'
import type { OrgStore } from '../ports/org-store.ts'
import type { EffectiveAccess } from './effective-access.ts'
import { setOrFlag } from './grants.ts'
import { visibilityOf, visibilityIn, type Visibility } from './visibility.ts'

/** Satisfied by a reader of the store. */
export interface PastReader {
  generations: Pick<GenerationReader, 'active' | 'view'>
  identities: Pick<IdentityReader, 'holders' | 'keyPeriods'>
}

/** For a visibility that outlives one read. */
export function pastReaderOf(store: Pick<OrgStore, 'read'>): PastReader {
  return {
    generations: {
      active: () => store.read((reader) => reader.generations.active()),
      view: (generation) => store.read((reader) => reader.generations.view(generation)),
    },
    identities: {
      holders: (id) => store.read((reader) => reader.identities.holders(id)),
      keyPeriods: (identity) => store.read((reader) => reader.identities.keyPeriods(identity)),
    },
  }
}

/** The generation from which a viewer looks at others. */
export interface PresentGeneration {
  generation: number
  view: ComponentView
}

export interface GenerationVisibility extends Visibility {
  /** Whether the generation has this set or flag, visible or not. */
  has(set: string): boolean
}

/** What one viewer can see in all generations; what was read about a key is cached. */
export class PastVisibility {
  readonly #access: EffectiveAccess
  readonly #present: PresentGeneration
  readonly #now: Visibility
  readonly #sets = new Map<string, KeyHolder[]>()
  readonly #granted = new Map<ComponentIdentity, boolean>()
  readonly #generations = new Map<number, GenerationVisibility>()
  #until = 0

  constructor(access: EffectiveAccess, present: PresentGeneration, now = visibilityIn(access, present.view)) {
    this.#access = access
    this.#present = present
    this.#now = now
  }

  at(reader: PastReader, generation: number): GenerationVisibility {
    if (generation > this.#until) this.#renew(reader)
    let sets = this.#generations.get(generation)
    if (sets === undefined) this.#generations.set(generation, (sets = this.#setsOf(reader, generation)))
    return sets
  }

  /** A later generation may have renamed what was read. */
  #renew(reader: PastReader): void {
    this.#until = reader.generations.active()
    this.#sets.clear()
    this.#granted.clear()
    this.#generations.clear()
  }

  #setsOf(reader: PastReader, generation: number): GenerationVisibility {
    if (generation === this.#present.generation)
      return { ...this.#now, has: (set) => setOrFlag(this.#present.view, set) !== undefined }
    const holderOf = (set: string): KeyHolder | undefined =>
      this.#holders(reader, set).find((each) => includesGeneration(each, generation))
    const isGranted = (set: string): boolean => {
      const holder = holderOf(set)
      return holder !== undefined && this.#grantedTo(reader, holder.identity)
    }
    return { ...visibilityOf(this.#access, isGranted), has: (set) => holderOf(set) !== undefined }
  }

  #holders(reader: PastReader, set: string): KeyHolder[] {
    let holders = this.#sets.get(set)
    if (holders === undefined) {
      holders = (['config_set', 'feature_flag'] as const).flatMap((type) =>
        reader.identities.holders(componentId(type, set)),
      )
      this.#sets.set(set, holders)
    }
    return holders
  }

  #grantedTo(reader: PastReader, identity: ComponentIdentity): boolean {
    let granted = this.#granted.get(identity)
    if (granted === undefined) this.#granted.set(identity, (granted = this.#judge(reader, identity)))
    return granted
  }

  #judge(reader: PastReader, identity: ComponentIdentity): boolean {
    const spells = reader.identities.keyPeriods(identity)
    const now = spells.find((each) => includesGeneration(each, this.#present.generation))
    if (now !== undefined) return this.#now.canSeeValues(splitId(now.id).key)
    const last = spells.at(-1)
    return last !== undefined && this.#hadGrants(reader, last)
  }

  /** Decides by the last grants of a set that does not exist today. */
  #hadGrants(reader: PastReader, { id, to }: KeyPeriod): boolean {
    const generation = to === null ? this.#until : to - 1
    const set = setOrFlag(reader.generations.view(generation), splitId(id).key)
    if (set === undefined) return false
    return [...Object.keys(set.body.read), ...Object.keys(set.body.edit)].some((key) =>
      this.#holds(reader, key, generation),
    )
  }

  /** Whether the viewer holds the permission set that had this key then. */
  #holds(reader: PastReader, key: string, generation: number): boolean {
    const holder = reader.identities
      .holders(`permission_set/${key}`)
      .find((each) => includesGeneration(each, generation))
    if (holder === undefined) return false
    const now = reader.identities
      .keyPeriods(holder.identity)
      .find((each) => includesGeneration(each, this.#present.generation))
    return now !== undefined && this.#access.permissionSets.includes(splitId(now.id).key)
  }
}
