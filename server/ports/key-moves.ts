// How component keys change in one apply, for runtime state that is bound to keys.
import type { ComponentType } from '#kernel/components/component.ts'
import type { OrgTransactor } from './org-store.ts'

export interface KeyMove {
  type: ComponentType
  /** Null if a new component takes the key. */
  from: string | null
  /** Null if the component is removed. */
  to: string | null
}

/** Old key → new key of one type; null if bound state ends, because the component is removed or a different one. */
export function keyMovesOf(moves: Iterable<KeyMove>, type: ComponentType): Map<string, string | null> {
  const keys = new Map<string, string | null>()
  const own = [...moves].filter((move) => move.type === type)
  for (const { from, to } of own) if (from === null || to === null) keys.set((from ?? to)!, null)
  for (const { from, to } of own) if (from !== null && to !== null) keys.set(from, to)
  return keys
}

export interface KeyMoveEvent {
  /** Empty if no key has moved. */
  moves: readonly KeyMove[]
  generation: number
  at: string
  actor: string
  correlationId: string
}

/** Called in the transaction of the apply, after its generation is written. */
export type KeyMoveHandler = (transactor: OrgTransactor, moved: KeyMoveEvent) => void
