// The components that a change list affects: readers whose rules and expressions must be checked again.
import type { Component } from '../components/body-types.ts'
import { idOf, isEntryId, splitId, type ComponentId } from '../components/component.ts'
import type { ComponentView } from '../components/view.ts'
import type { ReferenceGraph } from '../graph/index.ts'
import { afterOf, beforeOf, type Change } from './change.ts'
import { businessKeyOf } from './overlay-view.ts'

export interface AffectedComponents {
  /** Components of the candidate whose own rules run. */
  components: Set<ComponentId>
  /** Set or flag → business keys whose coverage is checked; null: every key. */
  coverage: Map<string, Set<string | null> | null>
}

/** Types that pass a change on to their readers, which are then affected too. */
const transitiveTypes = new Set(['calc_function', 'object'])

export function findAffected(
  changes: readonly Change[],
  view: ComponentView,
  graph: ReferenceGraph,
): AffectedComponents {
  const judged = new Set<ComponentId>()
  const coverage: AffectedComponents['coverage'] = new Map()
  for (const change of changes) {
    if (change.kind !== 'removed') judged.add(change.id)
    const [before, after] = [beforeOf(change), afterOf(change)]
    if (before !== null) cover(coverage, before)
    if (after !== null) cover(coverage, after)
  }
  const queue = changes.flatMap((change) =>
    change.kind === 'renamed' ? [change.id, change.from] : [change.id],
  )
  const seen = new Set(queue)
  for (const id of queue)
    for (const from of graph.incoming.get(id) ?? []) {
      // Each entry of a new set is a separate change.
      if (isEntryId(from) && judged.has(from)) continue
      const { type, key } = splitId(from)
      if (!view.has(type, key)) continue
      judged.add(from)
      // The readers of a value set are sets: their entries contain its values, and expressions look them up by those values.
      const holdsValues = type === 'config_set' && id.startsWith('value_set/')
      if (holdsValues) coverage.set(key, null)
      if ((holdsValues || transitiveTypes.has(type)) && !seen.has(from)) {
        seen.add(from)
        queue.push(from)
      }
    }
  for (const [set, keys] of coverage)
    if (keys === null) for (const entry of view.entriesOf(set)) judged.add(idOf(entry))
  return { components: judged, coverage }
}

function cover(coverage: AffectedComponents['coverage'], component: Component): void {
  if (component.type === 'config_set' || component.type === 'feature_flag') coverage.set(component.key, null)
  if (component.type !== 'config_entry') return
  const { set } = component.body
  const key = businessKeyOf(component)
  const known = coverage.get(set)
  if (known === undefined) coverage.set(set, new Set([key]))
  else known?.add(key)
}
