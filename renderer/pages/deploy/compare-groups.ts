// Compared rows in groups, as in the change list: a set with its entries, then the rest by type.
import type { ComponentType } from '#kernel/components/component.ts'
import type { CompareRow } from '#wire/remotes.ts'
import type { IconName } from '../../frame/icons.ts'
import { iconOfId } from '../../frame/type-icons.ts'
import { groupIdOf } from './ticks.ts'

export interface CompareGroup {
  id: string
  title: string
  what: string
  icon: IconName
  rows: CompareRow[]
}

/** Returns the groups in the order of their first row. `plural` is the readable name of a type. */
export function compareGroups(
  rows: readonly CompareRow[],
  plural: (type: ComponentType) => string,
): CompareGroup[] {
  const groups = new Map<string, CompareGroup>()
  for (const row of rows) {
    const group = groupOf(row, plural)
    const known = groups.get(group.id)
    if (known === undefined) groups.set(group.id, { ...group, rows: [row] })
    else known.rows.push(row)
  }
  return [...groups.values()]
}

function groupOf(
  { id, type, set }: CompareRow,
  plural: (type: ComponentType) => string,
): Omit<CompareGroup, 'rows'> {
  return set === undefined
    ? { id: groupIdOf(id), title: plural(type as ComponentType), what: '', icon: iconOfId(id) }
    : { id: groupIdOf(id), title: set, what: 'entries', icon: 'set' }
}
