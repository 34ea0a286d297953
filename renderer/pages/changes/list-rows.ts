// The rows of the change list: each group, then its changes; and the action of each key in the list.
import type { ComponentId } from '../../api/wire.ts'
import type { ChangeGroup, GroupedChange } from './groups.ts'

export type ListRow =
  | { kind: 'group'; id: string; group: ChangeGroup }
  | { kind: 'change'; id: ComponentId; change: GroupedChange }

export function rowsOf(groups: readonly ChangeGroup[]): ListRow[] {
  return groups.flatMap((group): ListRow[] => [
    { kind: 'group', id: group.id, group },
    ...group.changes.map((change): ListRow => ({ kind: 'change', id: change.id, change })),
  ])
}

/** The changes that a row ticks. */
export function idsOf(row: ListRow | undefined): ComponentId[] {
  if (row === undefined) return []
  return row.kind === 'change' ? [row.id] : row.group.changes.map(({ id }) => id)
}

/** The changes between two rows, given in any order. */
export function idsBetween(rows: readonly ListRow[], one: number, other: number): ComponentId[] {
  const part = rows.slice(Math.min(one, other), Math.max(one, other) + 1)
  return [...new Set(part.flatMap((row) => (row.kind === 'change' ? [row.id] : [])))]
}

export type ListMove =
  | { kind: 'go'; to: number; extend: boolean }
  | { kind: 'range' }
  | { kind: 'all'; on: boolean }
  | { kind: 'within'; step: 1 | -1 }
  | { kind: 'show' }

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** The action of a key in the list; null if the key means something else. `page`: the number of visible rows. */
export function moveOf(
  { key, shiftKey, ctrlKey, metaKey, altKey }: Pressed,
  at: number,
  { count, page }: { count: number; page: number },
): ListMove | null {
  if (altKey) return null
  if (ctrlKey || metaKey) return key.toLowerCase() === 'a' ? { kind: 'all', on: !shiftKey } : null
  const steps: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
  }
  const to = steps[key]
  if (to !== undefined) return { kind: 'go', to: Math.max(0, Math.min(count - 1, to)), extend: shiftKey }
  if (key === ' ' && shiftKey) return { kind: 'range' }
  if (key === 'ArrowRight') return { kind: 'within', step: 1 }
  if (key === 'ArrowLeft') return { kind: 'within', step: -1 }
  return key === 'Enter' ? { kind: 'show' } : null
}
