// Finds the uses of a value set's members: in values and keys of entries, and in expressions. Found on demand, through
// the sets, objects and channels that use the value set.
import type { Component, ComponentOf } from '../components/body-types.ts'
import { idOf, splitId, type ComponentId } from '../components/component.ts'
import { expressionSlots } from '../components/expression-slots.ts'
import { ownValue } from '../components/own-value.ts'
import { pointer } from '../components/pointer.ts'
import { namedMembersOf } from '../expr/index.ts'
import { componentAt } from './component-at.ts'
import type { ReferenceGraph } from './reference-graph.ts'

export interface MemberUse {
  from: ComponentId
  /** JSON pointer to the value, to the key, or to the expression. */
  path: string
  member: string
  label: string
}

/** Returns every expression that names a member, by component and place. */
export function memberReads(graph: ReferenceGraph, valueSet: string): MemberUse[] {
  const uses = new Map<string, MemberUse>()
  for (const component of readersOf(graph, valueSet))
    for (const { path, source, site } of expressionSlots(component))
      for (const named of namedMembersOf(source, site, graph.view)) {
        if (named.valueSet !== valueSet) continue
        const from = idOf(component)
        uses.set(`${from} ${path} ${named.value}`, {
          from,
          path,
          member: named.value,
          label: component.label,
        })
      }
  return [...uses.values()]
}

/** Yields every value and business key of an entry that comes from the value set. */
export function* memberHoldings(graph: ReferenceGraph, valueSet: string): Iterable<MemberUse> {
  for (const id of sortIds(graph.incoming.get(`value_set/${valueSet}`))) {
    const set = componentAt(graph.view, id)
    if (set?.type === 'config_set') yield* holdingsInSet(graph, set, valueSet)
  }
}

function* holdingsInSet(
  graph: ReferenceGraph,
  { key: set, body }: ComponentOf<'config_set'>,
  valueSet: string,
): Iterable<MemberUse> {
  const fields = body.fields.filter((field) => field.valueSet === valueSet).map(({ key }) => key)
  const isKey = body.keyedBy?.valueSet === valueSet
  const entries = [...graph.view.entriesOf(set)].sort((a, b) => (a.key < b.key ? -1 : 1))
  for (const entry of entries) {
    const use = (path: string, member: string): MemberUse => ({
      from: idOf(entry),
      path,
      member,
      label: entry.label,
    })
    if (isKey && typeof entry.body.key === 'string') yield use('/body/key', entry.body.key)
    for (const field of fields) {
      const value = ownValue(entry.body.values, field)
      if (typeof value === 'string') yield use(pointer('body', 'values', field), value)
    }
  }
}

/** Returns the components whose expressions can name a member: users of the value set, and their readers. */
function readersOf(graph: ReferenceGraph, valueSet: string): Component[] {
  const ids = new Set<ComponentId>()
  for (const id of graph.incoming.get(`value_set/${valueSet}`) ?? []) {
    ids.add(id)
    for (const reader of graph.incoming.get(id) ?? []) ids.add(reader)
  }
  return sortIds(ids).flatMap((id) => {
    const component = splitId(id).type === 'config_entry' ? undefined : componentAt(graph.view, id)
    return component === undefined ? [] : [component]
  })
}

const sortIds = (ids: Iterable<ComponentId> = []): ComponentId[] => [...ids].sort()
