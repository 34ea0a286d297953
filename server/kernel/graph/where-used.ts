// Finds the uses of a component, a field of a set or object, or a value of a value set.
import { idOf, splitId, type ComponentId } from '../components/component.ts'
import { componentAt } from './component-at.ts'
import { memberHoldings, memberReads, type MemberUse } from './member-uses.ts'
import type { ReferenceGraph } from './reference-graph.ts'

export interface Usage {
  from: ComponentId
  /** JSON pointer to the place; for an expression, to the whole expression. */
  path: string
  /** The field that is read, or the value of a value set that is used. */
  member?: string
  /** The label of the component that uses it. */
  label: string
}

export interface WhereUsedOptions {
  /** List each entry that belongs to a set or flag, or that has a value; `entryCount` counts them. */
  includeEntries?: boolean
}

/**
 * Returns every use, by component and place. With `member`, only uses of that field, or of that value of a value set;
 * entries with a named value are always listed.
 */
export function whereUsed(
  graph: ReferenceGraph,
  id: ComponentId,
  member?: string,
  options: WhereUsedOptions = {},
): Usage[] {
  const usages: Usage[] = []
  for (const from of [...(graph.incoming.get(id) ?? [])].sort())
    for (const edge of graph.outgoing.get(from) ?? []) {
      if (edge.to !== id || (member !== undefined && edge.member !== member)) continue
      const usage = { from, path: edge.path, label: labelOf(graph, from) }
      usages.push(edge.member === undefined ? usage : { ...usage, member: edge.member })
    }
  const { type, key } = splitId(id)
  if (type === 'value_set') return [...usages, ...memberUsages(graph, key, member, options)]
  return options.includeEntries === true ? [...usages, ...entryUsages(graph, id, member)] : usages
}

function memberUsages(
  graph: ReferenceGraph,
  valueSet: string,
  member: string | undefined,
  { includeEntries }: WhereUsedOptions,
): Usage[] {
  const matchesMember = (use: MemberUse): boolean => member === undefined || use.member === member
  const reads = memberReads(graph, valueSet).filter(matchesMember)
  if (member === undefined && includeEntries !== true) return reads
  return [...reads, ...[...memberHoldings(graph, valueSet)].filter(matchesMember)]
}

/** Counts the entries that belong to a set or flag, or have a value of a value set; 0 for anything else. */
export function entryCount(graph: ReferenceGraph, id: ComponentId): number {
  const { type, key } = splitId(id)
  if (type === 'value_set') return new Set([...memberHoldings(graph, key)].map(({ from }) => from)).size
  const set = ownerKey(id)
  if (set === null) return 0
  let count = 0
  for (const _ of graph.view.entriesOf(set)) count++
  return count
}

function entryUsages(graph: ReferenceGraph, id: ComponentId, member?: string): Usage[] {
  const set = ownerKey(id)
  if (set === null) return []
  const usages: Usage[] = []
  for (const entry of graph.view.entriesOf(set)) {
    if (member === undefined) usages.push({ from: idOf(entry), path: '/body/set', label: entry.label })
    else if (Object.hasOwn(entry.body.values, member))
      usages.push({ from: idOf(entry), path: `/body/values/${member}`, member, label: entry.label })
  }
  return usages.sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))
}

/** Returns the key by which entries name their owner; null if the component is neither a set nor a flag. */
function ownerKey(id: ComponentId): string | null {
  const { type, key } = splitId(id)
  return type === 'config_set' || type === 'feature_flag' ? key : null
}

function labelOf(graph: ReferenceGraph, id: ComponentId): string {
  return componentAt(graph.view, id)?.label ?? splitId(id).key
}
