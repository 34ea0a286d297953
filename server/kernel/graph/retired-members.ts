// Reports members of a value set that a change removes or makes inactive while they are in use.
import type { ComponentOf } from '../components/body-types.ts'
import { idOf } from '../components/component.ts'
import { pointer } from '../components/pointer.ts'
import { valuesByKey } from '../components/value-set/members.ts'
import type { Finding, RelatedPlace } from '../errors/finding.ts'
import { memberHoldings, memberReads } from './member-uses.ts'
import type { ReferenceGraph } from './reference-graph.ts'

/** A value set before and after a change. */
export interface ValueSetChange {
  before: ComponentOf<'value_set'>
  after: ComponentOf<'value_set'>
}

const MOST_NAMED = 20
const MOST_RELATED = 1000

/** Returns one finding for each member that is no longer offered but still in use; `graph` is the candidate's. */
export function retiredMemberFindings(changes: Iterable<ValueSetChange>, graph: ReferenceGraph): Finding[] {
  return [...changes].flatMap(({ before, after }) => {
    const now = valuesByKey(after)
    const retired = before.body.values.filter(
      ({ key, active }) => !now.has(key) || (active && !now.get(key)!.active),
    )
    if (retired.length === 0) return []
    const uses = usesByMember(after.key, graph)
    return retired.flatMap(({ key }) => {
      const places = uses.get(key)
      return places === undefined ? [] : [stillUsedFinding(after, key, places)]
    })
  })
}

function usesByMember(valueSet: string, graph: ReferenceGraph): Map<string, RelatedPlace[]> {
  const placesByMember = new Map<string, RelatedPlace[]>()
  for (const uses of [memberReads(graph, valueSet), memberHoldings(graph, valueSet)])
    for (const { from, path, member } of uses) {
      const places = placesByMember.get(member) ?? []
      places.push({ component: from, path })
      placesByMember.set(member, places)
    }
  return placesByMember
}

function stillUsedFinding(set: ComponentOf<'value_set'>, member: string, places: RelatedPlace[]): Finding {
  const items = [...new Set(places.map(({ component }) => component))]
  const more = items.length > MOST_NAMED ? ` and ${items.length - MOST_NAMED} more` : ''
  const users = `${items.slice(0, MOST_NAMED).join(', ')}${more}`
  const at = set.body.values.findIndex(({ key }) => key === member)
  const them = items.length === 1 ? 'it' : 'them'
  const shared = {
    component: idOf(set),
    related: places.slice(0, MOST_RELATED),
    facts: { references: places.length, components: items.length, member },
  }
  return at === -1
    ? {
        ...shared,
        severity: 'error',
        code: 'deploy.still_referenced',
        path: '/body/values',
        message:
          `The value "${member}" of ${set.key} is still used by ${users}. ` +
          `Keep it as an inactive value, or change ${them} in the same change list.`,
      }
    : {
        ...shared,
        severity: 'warning',
        code: 'config.value_inactive',
        path: pointer('body', 'values', at, 'active'),
        message:
          `The value "${member}" of ${set.key} is now inactive and still used by ${users}. ` +
          'Existing uses keep it; it can no longer be chosen.',
      }
}
