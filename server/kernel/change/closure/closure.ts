// The closure of a partial selection: the changes that the picked ones need, and why; and those that can stay
// behind. Pure; the cost depends on the picked changes and the keys that they touch, not on the org.
import { runToCompletion } from '../../steps.ts'
import { splitId, type ComponentId } from '../../components/component.ts'
import type { Change } from '../change.ts'
import { changeIndexSteps, type ChangeIndex, type ClosureContext } from './change-index.ts'
import { findKeyNeeds, keyChangeSteps, affectedKeysOf, type KeyChangeIndex } from './key-needs.ts'
import type { NeedReason, Closure, FoundNeed, Need } from './need.ts'
import { findCallerNeeds, findNewTargetNeeds, findReferrerNeeds } from './reference-needs.ts'
import {
  findOwnerNeeds,
  findOrgEntryNeeds,
  findEntryNeeds,
  findKeyHolderNeeds,
  findValueSetNeeds,
} from './set-needs.ts'

type NeedRule = (change: Change, ground: ChangeIndex) => FoundNeed[]

/** Each rule returns the needs of one change; the order is that of the reasons. */
const rules: readonly NeedRule[] = [
  findOwnerNeeds,
  findEntryNeeds,
  findNewTargetNeeds,
  findCallerNeeds,
  findReferrerNeeds,
  findValueSetNeeds,
  findOrgEntryNeeds,
  findKeyHolderNeeds,
]

export interface ClosureOptions extends ClosureContext {
  /**
   * The changes that can be picked, if not all: a consequence of a rename or a new shape comes with its cause and has no
   * draft.
   */
  pickable?: ReadonlySet<ComponentId>
}

/** `changes` is the whole list over `base`, from `buildCandidate`; `picked` are ids of it, other ids are ignored. */
export function closureOf(
  changes: readonly Change[],
  picked: Iterable<ComponentId>,
  options: ClosureOptions,
): Closure {
  return runToCompletion(closureSteps(changes, picked, options))
}

/** The same in steps, for a thread that serves other requests. */
export function* closureSteps(
  changes: readonly Change[],
  picked: Iterable<ComponentId>,
  options: ClosureOptions,
): Generator<void, Closure> {
  const pickable = options.pickable ?? new Set(changes.map(({ id }) => id))
  yield
  const ground = yield* changeIndexSteps(changes, options)
  const closing = new ClosureBuilder(pickable, ground, yield* keyChangeSteps(changes))
  const pickedIds = new Set(picked)
  const chosen = changes.flatMap(({ id }) => (pickedIds.has(id) && pickable.has(id) ? [id] : []))
  yield
  const because = yield* closing.from(chosen)
  const ids = changes.map(({ id }) => id).filter((id) => pickable.has(id))
  yield
  return {
    picked: chosen,
    needed: ids.flatMap((id): Need[] => {
      const reasons = because.get(id)
      return reasons === undefined ? [] : [{ id, because: reasons }]
    }),
    free: ids.filter((id) => !because.has(id) && !pickedIds.has(id)),
  }
}

class ClosureBuilder {
  readonly #ground: ChangeIndex
  readonly #pickable: ReadonlySet<ComponentId>
  readonly #lanes: KeyChangeIndex
  readonly #taken = new Set<ComponentId>()
  readonly #because = new Map<ComponentId, NeedReason[]>()
  #picked: ReadonlySet<ComponentId> = new Set()

  constructor(pickable: ReadonlySet<ComponentId>, ground: ChangeIndex, lanes: KeyChangeIndex) {
    this.#ground = ground
    this.#pickable = pickable
    this.#lanes = lanes
  }

  /** Why each change that was not picked is included. */
  *from(picked: readonly ComponentId[]): Generator<void, ReadonlyMap<ComponentId, NeedReason[]>> {
    this.#picked = new Set(picked)
    const isTaken = (id: ComponentId): boolean =>
      this.#taken.has(this.#pickable.has(id) ? id : (this.#causeOf(id) ?? id))
    let fresh = [...picked]
    while (fresh.length > 0) {
      const places = new Set<string>()
      // Grows during the loop.
      for (const id of fresh) {
        this.#taken.add(id)
        const change = this.#ground.changeOf(id)!
        for (const place of affectedKeysOf(change).keys()) places.add(place)
        for (const rule of rules)
          for (const { id: needed, ...why } of rule(change, this.#ground))
            this.#need(needed, { of: id, ...why }, fresh)
        yield
      }
      fresh = []
      for (const place of places) {
        for (const { id, ...why } of findKeyNeeds(this.#lanes.get(place)!, isTaken, this.#ground))
          this.#need(id, why, fresh)
        yield
      }
    }
    return this.#because
  }

  #need(of: ComponentId, why: NeedReason, fresh: ComponentId[]): void {
    const id = this.#pickable.has(of) ? of : this.#causeOf(of)
    if (id === null || id === why.of || this.#picked.has(id)) return
    const reasons = this.#because.get(id)
    if (reasons === undefined) {
      this.#because.set(id, [why])
      fresh.push(id)
    } else if (!reasons.some((each) => each.of === why.of && each.kind === why.kind)) reasons.push(why)
  }

  /** An entry that only follows its set is part of the change to the set; other changes follow from their referrers. */
  #causeOf(id: ComponentId): ComponentId | null {
    const { type, key } = splitId(id)
    if (type !== 'config_entry') return null
    const owner = this.#ground.ownerOf(key.slice(0, key.indexOf('.')))?.id
    return owner !== undefined && this.#pickable.has(owner) ? owner : null
  }
}
