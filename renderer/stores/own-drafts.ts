// Which drafts are ticked at first: the user's own. Drafts of others are included only if the user ticks them.
import type { ComponentId } from '../api/wire.ts'

export interface Ticks {
  /** The user's own drafts that the user unticked. */
  off: ReadonlySet<ComponentId>
  /** Drafts of others that the user ticked. */
  tickedOthers: ReadonlySet<ComponentId>
}

/** The drafts that are left out. */
export function untickedDrafts(
  { off, tickedOthers }: Ticks,
  others: ReadonlyMap<ComponentId, string>,
): Set<ComponentId> {
  return new Set([...off, ...others.keys()].filter((id) => !others.has(id) || !tickedOthers.has(id)))
}

/** The ticks after some drafts were ticked or unticked. */
export function updateTicks(
  { off, tickedOthers }: Ticks,
  { ids, on }: { ids: Iterable<ComponentId>; on: boolean },
  others: ReadonlyMap<ComponentId, string>,
): { off: Set<ComponentId>; tickedOthers: Set<ComponentId> } {
  const next = { off: new Set(off), tickedOthers: new Set(tickedOthers) }
  for (const id of ids) {
    const [set, inside] = others.has(id) ? [next.tickedOthers, on] : [next.off, !on]
    if (inside) set.add(id)
    else set.delete(id)
  }
  return next
}
