// Which drafts are included: the user's own, unless they are unticked, and those of others that the user ticks.
import { computed, ref, shallowRef, watch } from 'vue'
import type { DraftPick } from '../api/pipeline.ts'
import type { ComponentId } from '../api/wire.ts'
import type { DraftList } from './draft-list.ts'
import { untickedDrafts, updateTicks } from './own-drafts.ts'
import { loadDecision, saveDecision } from './review-decision.ts'

export type DraftTicks = ReturnType<typeof createDraftTicks>

/** The ticks and the rationale of the last visit, which survive a reload of the window. */
export function useReviewDecision() {
  const decision = loadDecision()
  const off = shallowRef<ReadonlySet<ComponentId>>(new Set(decision.off))
  const rationale = ref(decision.rationale)
  watch([off, rationale], () => saveDecision({ off: [...off.value], rationale: rationale.value }))
  return { off, rationale }
}

export function createDraftTicks(list: DraftList, off: ReturnType<typeof useReviewDecision>['off']) {
  /** Drafts of others that the user ticked. */
  const tickedOthers = shallowRef<ReadonlySet<ComponentId>>(new Set())
  const forcedUnreadable = shallowRef<ReadonlySet<ComponentId>>(new Set())

  const excludedIds = computed(() =>
    untickedDrafts({ off: off.value, tickedOthers: tickedOthers.value }, list.others.value),
  )
  /** Drafts that cannot be in the list now, whether they are ticked or not. */
  const blockedIds = computed(() => {
    const ids = new Set(list.conflicts.value.map(({ id }) => id))
    for (const { id } of list.unreadable.value) if (!forcedUnreadable.value.has(id)) ids.add(id)
    return ids
  })
  /** The drafts that the user ticked, without those that are included only because another needs them. */
  const tickedIds = computed(() =>
    [...list.drafted.value].filter((id) => !excludedIds.value.has(id) && !blockedIds.value.has(id)),
  )
  /** The request to the server: all own drafts, or the ticked ones with what they need. */
  const pick = computed((): DraftPick => {
    if (excludedIds.value.size + list.others.value.size + blockedIds.value.size === 0) return { drafts: true }
    return { drafts: tickedIds.value, dependencies: true }
  })
  const whole = computed(() => excludedIds.value.size === 0 && forcedUnreadable.value.size === 0)

  /** Drafts under an old id, by the id that a rename in the list gives them. */
  const renamedDrafts = computed(
    () =>
      new Map<ComponentId, ComponentId>(
        list.index.value.flatMap(({ id, from }) =>
          from !== undefined && list.drafted.value.has(from) && !list.drafted.value.has(id)
            ? [[id, from]]
            : [],
        ),
      ),
  )
  /** A getter that returns a function: an action would be wrapped at each of ten thousand calls. */
  const draftOf = computed(() => {
    const renamed = renamedDrafts.value
    return (id: ComponentId): ComponentId => renamed.get(id) ?? id
  })

  function tick(changes: Iterable<ComponentId>, on: boolean): void {
    const ids = [...changes].map(draftOf.value).filter((id) => on || list.drafted.value.has(id))
    const ticks = { off: off.value, tickedOthers: tickedOthers.value }
    const next = updateTicks(ticks, { ids, on }, list.others.value)
    off.value = next.off
    tickedOthers.value = next.tickedOthers
  }

  /** Includes a draft that cannot be read yet, or leaves it out. */
  function tickUnreadable(id: ComponentId, on: boolean): void {
    const next = new Set(forcedUnreadable.value)
    if (on) next.add(id)
    else next.delete(id)
    forcedUnreadable.value = next
  }

  /** Forgets the ticks of drafts that are no longer in the list. */
  function prune(): void {
    const unreadIds = new Set(list.unreadable.value.map(({ id }) => id))
    forcedUnreadable.value = new Set([...forcedUnreadable.value].filter((id) => unreadIds.has(id)))
    const known = new Set([...list.drafted.value, ...list.readableIds()])
    off.value = new Set([...off.value].filter((id) => known.has(id) && !unreadIds.has(id)))
  }

  return { off, forcedUnreadable, excludedIds, tickedIds, pick, whole, draftOf, tick, tickUnreadable, prune }
}
