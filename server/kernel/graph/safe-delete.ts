// Safe-delete: refuses to remove a component while anything refers to it, and names every referrer.
import { idOf, splitId, type ComponentId } from '../components/component.ts'
import type { ComponentView } from '../components/view.ts'
import type { Finding, RelatedPlace } from '../errors/finding.ts'
import type { ReferenceGraph } from './reference-graph.ts'
import { whereUsed } from './where-used.ts'

const MOST_NAMED = 20
const MOST_RELATED = 1000

/**
 * Returns one finding for each removed component that the candidate still refers to. `view` is the candidate without
 * the removed components and `graph` is the candidate's. Entries that logic relies on are checked by coverage, not
 * here.
 */
export function deletionFindings(
  removed: Iterable<ComponentId>,
  view: ComponentView,
  graph: ReferenceGraph,
): Finding[] {
  const gone = new Set(removed)
  return [...gone].sort().flatMap((id) => {
    const places = [...usesOf(id, gone, view, graph), ...entriesLeft(id, view)]
    return places.length === 0 ? [] : [stillReferencedFinding(id, places)]
  })
}

function usesOf(
  id: ComponentId,
  gone: ReadonlySet<ComponentId>,
  view: ComponentView,
  graph: ReferenceGraph,
): RelatedPlace[] {
  return whereUsed(graph, id).flatMap(({ from, path, member }) => {
    const { type, key } = splitId(from)
    if (gone.has(from) || !view.has(type, key)) return []
    return [
      member === undefined ? { component: from, path } : { component: from, path, note: `reads ${member}` },
    ]
  })
}

/** A set owns its entries: they must be removed in the same change list. */
function entriesLeft(id: ComponentId, view: ComponentView): RelatedPlace[] {
  const { type, key } = splitId(id)
  if (type !== 'config_set' && type !== 'feature_flag') return []
  // A set and a flag with one key share their entries: the remaining one still owns them.
  if (view.has(type === 'config_set' ? 'feature_flag' : 'config_set', key)) return []
  const entries: RelatedPlace[] = []
  for (const entry of view.entriesOf(key))
    entries.push({ component: idOf(entry), path: '/body/set', note: 'belongs to it' })
  return entries.sort((a, b) => (a.component < b.component ? -1 : 1))
}

function stillReferencedFinding(id: ComponentId, places: readonly RelatedPlace[]): Finding {
  const items = [...new Set(places.map(({ component }) => component))]
  const named = items.slice(0, MOST_NAMED).join(', ')
  const more = items.length > MOST_NAMED ? ` and ${items.length - MOST_NAMED} more` : ''
  return {
    severity: 'error',
    code: 'deploy.still_referenced',
    component: id,
    path: '',
    message: `${id} is still referenced by ${named}${more}. Remove or change ${items.length === 1 ? 'it' : 'them'} in the same change list.`,
    related: places.slice(0, MOST_RELATED),
    facts: { references: places.length, components: items.length },
  }
}
