// The keys that a change list adds, removes and renames, for data that is bound to keys.
import type { Change } from '#kernel/change/index.ts'
import { splitId } from '#kernel/components/component.ts'
import type { KeyMove } from '../ports/key-moves.ts'

export function keyMoves(changes: readonly Change[]): KeyMove[] {
  return changes.flatMap((change): KeyMove[] => {
    const { type, key } = splitId(change.id)
    if (type === 'config_entry' || change.kind === 'changed') return []
    if (change.kind === 'renamed') return [{ type, from: splitId(change.from).key, to: key }]
    return [change.kind === 'removed' ? { type, from: key, to: null } : { type, from: null, to: key }]
  })
}
