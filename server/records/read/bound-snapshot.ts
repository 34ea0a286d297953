// The generation that a stored value was computed at.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Binding } from '#kernel/config/index.ts'
import type { RecordSnapshot, StoredBinding } from '#kernel/records/index.ts'
import type { RecordSnapshots } from '../deps.ts'

/** Null if the generation of an archived value was purged. @throws AlmanacError `generation.not_found` for any other value */
export function boundSnapshot(
  snapshots: RecordSnapshots,
  { generation, archived }: StoredBinding,
): RecordSnapshot | null {
  try {
    if (archived !== undefined) snapshots.requireKept?.(generation)
    return snapshots.at(generation)
  } catch (error) {
    if (archived !== undefined && error instanceof AlmanacError && error.code === 'generation.not_found')
      return null
    throw error
  }
}

/** The binding without the mark of an archived value. */
export function plainBinding({ archived: _archived, ...binding }: StoredBinding): Binding {
  return binding
}
