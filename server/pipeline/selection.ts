// Adds to picked drafts what they need. Other drafts are only read for that: one that is outdated, or that cannot be
// read, blocks no pick and is not included.
import {
  buildCandidate,
  closureOf,
  type NeedReason,
  type Closure,
  type ClosureOptions,
  type ClosureView,
  type Sha256,
} from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { CivilDate } from '#kernel/dates/civil-date.ts'
import { updateGraph, type ReferenceGraph } from '#kernel/graph/index.ts'
import type { Viewer } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { draftList, type LoadedChanges } from './change-source.ts'
import { withoutStaleDrafts } from './conflict.ts'
import { partitionByVisibility } from './visibility-partition.ts'
import type { ApplyRequest, ChangeSource } from './request.ts'

export interface SelectionContext {
  base: number
  baseView: ComponentView
  baseGraph: () => ReferenceGraph
  viewer: Viewer | null
  today: CivilDate
  sha256: Sha256
}

/** Null if no drafts are named, or if it was not requested. @throws AlmanacError draft.not_found */
export function selectionOf(
  reader: OrgReader,
  { source, includesClosure }: Pick<ApplyRequest, 'source' | 'includesClosure'>,
  ground: SelectionContext,
): Closure | null {
  if (source.kind !== 'drafts' || source.ids === undefined) return null
  if (includesClosure !== true && source.dependencies !== true) return null
  const all = draftList(reader, ground.viewer)
  return closureOfDrafts(reader, all, source.ids, ground)
}

function closureOfDrafts(
  reader: OrgReader,
  all: LoadedChanges,
  picked: readonly ComponentId[],
  { base, baseView, baseGraph, viewer, today, sha256 }: SelectionContext,
): Closure {
  const { visibleChanges } = partitionByVisibility(
    withoutStaleDrafts(reader, all, base, sha256),
    viewer,
    baseView,
  )
  const graph = baseGraph()
  const { changes, view } = buildCandidate(baseView, visibleChanges, { sha256, graph })
  const ids = changes.flatMap((change) =>
    change.kind === 'renamed' ? [change.id, change.from] : [change.id],
  )
  const options: ClosureOptions = {
    base: base === 0 ? null : baseView,
    view,
    baseGraph: graph,
    graph: updateGraph(graph, ids, view),
    today,
    pickable: new Set(all.drafts.map(({ id }) => id)),
  }
  return closureOf(changes, picked, options)
}

/** The source, including what the picked drafts need. */
export function expandSource(source: ChangeSource, closure: Closure | null): ChangeSource {
  if (closure === null || source.kind !== 'drafts' || source.dependencies !== true) return source
  const ids = new Set([...(source.ids ?? []), ...closure.needed.map(({ id }) => id)])
  return { kind: 'drafts', ids: [...ids] }
}

/** Picked drafts that are listed for one included draft. */
const maxTakers = 1000

/** Maps what is included to the picks that need it. */
function takersOf(
  id: ComponentId,
  reasonsOf: ReadonlyMap<ComponentId, readonly NeedReason[]>,
): ComponentId[] {
  const takers = new Set<ComponentId>()
  const seen = new Set([id])
  // The list grows during the iteration.
  for (const each of seen) {
    for (const { of } of reasonsOf.get(each) ?? []) {
      if (takers.size === maxTakers) return [...takers]
      if (reasonsOf.has(of)) seen.add(of)
      else takers.add(of)
    }
  }
  return [...takers]
}

/**
 * Reasons that are reported for one draft; one is enough to understand, and a set may have a hundred thousand entries.
 */
const maxReasons = 5

export function closureView({ picked, needed, free }: Closure, included: boolean, most: number): ClosureView {
  const reasonsOf = new Map(needed.map(({ id, because }) => [id, because]))
  return {
    picked: picked.slice(0, most),
    needed: needed.slice(0, most).map(({ id, because }) => ({
      id,
      because: because.slice(0, maxReasons),
      reasons: because.length,
      takenBy: takersOf(id, reasonsOf),
    })),
    free: free.slice(0, most),
    totals: { picked: picked.length, needed: needed.length, free: free.length },
    included,
  }
}
