// The change list in groups: a set with its entries, then the rest by type.
import { splitId, type ComponentType } from '#kernel/components/component.ts'
import type { ChangeView, ComponentId } from '../../api/wire.ts'
import type { IconName } from '../../frame/icons.ts'
import { typeIcons } from '../../frame/type-icons.ts'
import type { IndexedChange } from '../../stores/change-views.ts'

export interface ChangeGroup {
  id: string
  title: string
  /** The part that changes: entries, definition, flag, or the type. */
  what: string
  icon: IconName
  changes: GroupedChange[]
}

export interface GroupedChange extends IndexedChange {
  /** Its position in the whole list. */
  at: number
}

/** Returns the groups in the order of their first change. `plural` is the readable name of a type. */
export function groupsOf(
  changes: readonly IndexedChange[],
  plural: (type: ComponentType) => string,
): ChangeGroup[] {
  const groups = new Map<string, ChangeGroup>()
  for (const [at, { id, kind }] of changes.entries()) {
    const group = groupOf(id, plural)
    const known = groups.get(group.id)
    if (known === undefined) groups.set(group.id, { ...group, changes: [{ id, kind, at }] })
    else known.changes.push({ id, kind, at })
  }
  return [...groups.values()]
}

function groupOf(id: ComponentId, plural: (type: ComponentType) => string): Omit<ChangeGroup, 'changes'> {
  const { type, key } = splitId(id)
  if (type === 'config_entry') {
    const name = key.split('.')[0] ?? ''
    return { id: `entries ${name}`, title: name, what: 'entries', icon: 'set' }
  }
  if (type === 'config_set') return { id: `set ${key}`, title: key, what: 'definition', icon: 'set' }
  if (type === 'feature_flag') return { id: `flag ${key}`, title: key, what: 'flag', icon: 'flag' }
  return { id: type, title: plural(type), what: '', icon: typeIcons[type] }
}

export const kindGlyphs = {
  added: 'plus',
  changed: 'change',
  renamed: 'rename',
  removed: 'minus',
} as const satisfies Record<ChangeView['kind'], IconName>
