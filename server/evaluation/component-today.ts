// Finds a component of an older generation today, by its identity: a stored result outlives the keys that it reads.
import { componentId, splitId, type ComponentType } from '#kernel/components/component.ts'
import type { OrgReader } from '../ports/org-store.ts'

export type ComponentToday =
  /** Active, under this key; `renamedAt` is the generation that gave it the key, null if it was added with it. */
  | { key: string; renamedAt: number | null }
  /** Removed by that generation. */
  | { key: null; removedAt: number }

export interface ComponentRef {
  type: ComponentType
  key: string
}

const setTypes = ['config_set', 'feature_flag'] as const

/** The set or flag that had this key at a generation; null if it had none. */
export function findSetOrFlagAt(
  reader: Pick<OrgReader, 'identities'>,
  key: string,
  generation: number,
): ComponentRef | null {
  const type = setTypes.find((each) => reader.identities.at(generation, componentId(each, key)) !== undefined)
  return type === undefined ? null : { type, key }
}

/** The component of generation `since` today; null if that generation has no such component. */
export function componentToday(
  reader: Pick<OrgReader, 'identities'>,
  { type, key }: ComponentRef,
  since: number,
): ComponentToday | null {
  const identity = reader.identities.at(since, componentId(type, key))
  if (identity === undefined) return null
  const spells = reader.identities.keyPeriods(identity)
  const { id, from, to } = spells.at(-1)!
  if (to !== null) return { key: null, removedAt: to }
  return { key: splitId(id).key, renamedAt: spells.length > 1 ? from : null }
}
