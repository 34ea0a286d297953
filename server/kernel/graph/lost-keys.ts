// Safe-delete of entries: a business key that an expression names literally must keep an entry
// (docs/reference/resolution-and-dates.md).
import { splitId, type ComponentId } from '../components/component.ts'
import { expressionSlots } from '../components/expression-slots.ts'
import type { ComponentView } from '../components/view.ts'
import type { Finding, RelatedPlace } from '../errors/finding.ts'
import { constantKeysOf } from '../expr/index.ts'
import { componentAt } from './component-at.ts'
import type { ReferenceGraph } from './reference-graph.ts'

/** A business key that an entry no longer has. */
export interface LostKey {
  /** The entry that is removed, or that now has a different key. */
  entry: ComponentId
  path: '' | '/body/key'
  /** The current key of the set. */
  set: string
  key: string
}

/** Returns one finding for each key that has no entry left and is read. `view` and `graph` are the candidate's. */
export function emptyKeyFindings(
  lostKeyList: Iterable<LostKey>,
  view: ComponentView,
  graph: ReferenceGraph,
): Finding[] {
  const readers = new Map<string, Map<string, RelatedPlace[]>>()
  const reportedKeys = new Set<string>()
  const findings: Finding[] = []
  for (const each of [...lostKeyList].sort((a, b) => (a.entry < b.entry ? -1 : 1))) {
    const { set, key } = each
    const name = `${set} ${key}`
    if (reportedKeys.has(name)) continue
    reportedKeys.add(name)
    const bySet = readers.get(set) ?? readersOf(set, view, graph)
    readers.set(set, bySet)
    const places = bySet.get(key)
    if (places !== undefined && !hasEntry(view, set, key)) findings.push(stillReadFinding(each, places))
  }
  return findings
}

function hasEntry(view: ComponentView, set: string, key: string): boolean {
  for (const _ of view.entriesAt(set, key)) return true
  return false
}

/** Returns business key → the expressions that name it. */
function readersOf(set: string, view: ComponentView, graph: ReferenceGraph): Map<string, RelatedPlace[]> {
  const readers = new Map<string, RelatedPlace[]>()
  // Reads of a removed set are reported for the set.
  if (!view.has('config_set', set)) return readers
  for (const from of [...(graph.incoming.get(`config_set/${set}`) ?? [])].sort()) {
    const component = componentAt(view, from)
    if (component === undefined || splitId(from).type === 'config_entry') continue
    for (const slot of expressionSlots(component))
      for (const read of constantKeysOf(slot, view)) {
        if (read.set !== set) continue
        const places = readers.get(read.key) ?? []
        const known = places.some((place) => place.component === from && place.path === slot.path)
        if (!known)
          places.push({ component: from, path: slot.path, note: `reads ${keyExpression(set, read.key)}` })
        readers.set(read.key, places)
      }
  }
  return readers
}

function stillReadFinding({ entry, path, set, key }: LostKey, places: readonly RelatedPlace[]): Finding {
  const items = [...new Set(places.map(({ component }) => component))]
  const named = items.slice(0, 20).join(', ') + (items.length > 20 ? ` and ${items.length - 20} more` : '')
  const message =
    `${keyExpression(set, key)} would no longer have an entry, but is still read by ${named}. ` +
    `Keep an entry of ${key}, or change ${items.length === 1 ? 'that' : 'those'} in the same change list.`
  return {
    severity: 'error',
    code: 'deploy.still_referenced',
    component: entry,
    path,
    message,
    related: places.slice(0, 1000),
    facts: { references: places.length, components: items.length, set, key },
  }
}

function keyExpression(set: string, key: string): string {
  return `config.${set}(${JSON.stringify(key)})`
}
