// The sensitive fields of an object, those that were removed from it included: their columns and history still exist.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import {
  objectPrograms,
  type FieldId,
  type ObjectId,
  type ObjectPrograms,
  type RecordSnapshot,
} from '#kernel/records/index.ts'
import type { EraseDeps } from './erase-deps.ts'

/**
 * Returns each with whether it is a text. The last version of the object that has a field decides; a field of which no
 * version is left counts as sensitive, of an unknown type.
 * @param stored the fields with stored values
 */
export function sensitiveFields(
  { snapshots, versionsOf }: Pick<EraseDeps, 'snapshots' | 'versionsOf'>,
  present: RecordSnapshot,
  object: ObjectId,
  stored: ReadonlySet<FieldId>,
): Map<FieldId, boolean> {
  const undecided = new Set(stored)
  const sensitive = new Map<FieldId, boolean>()
  const decide = ({ view, names }: RecordSnapshot): void => {
    const key = names.objectKey(object)
    const programs = key === undefined ? null : objectPrograms(view, key)
    if (programs === null) return
    const ids = names.fieldIds(programs.object)
    for (const field of programs.body.fields) {
      const id = ids.get(field.key)!
      if (undecided.delete(id) && field.sensitive) sensitive.set(id, true)
    }
  }
  decide(present)
  for (const generation of versionsOf(object)) {
    if (undecided.size === 0) break
    const snapshot = generation < present.generation ? snapshotAt(snapshots, generation) : null
    if (snapshot !== null) decide(snapshot)
  }
  for (const id of undecided) sensitive.set(id, false)
  return sensitive
}

/** The keys of the sensitive fields of an object in its last version; none if that was purged. */
export function lastSensitiveKeys(
  { snapshots, versionsOf }: Pick<EraseDeps, 'snapshots' | 'versionsOf'>,
  object: ObjectId,
): string[] {
  const [last] = versionsOf(object)
  const snapshot = last === undefined ? null : snapshotAt(snapshots, last)
  const key = snapshot?.names.objectKey(object)
  const programs = snapshot === null || key === undefined ? null : objectPrograms(snapshot.view, key)
  return programs === null ? [] : sensitiveKeys(programs)
}

export const sensitiveKeys = ({ body }: ObjectPrograms): string[] =>
  body.fields.flatMap(({ key, sensitive }) => (sensitive ? [key] : []))

/** Null if the generation was purged. */
function snapshotAt(snapshots: EraseDeps['snapshots'], generation: number): RecordSnapshot | null {
  try {
    return snapshots.at(generation)
  } catch (error) {
    if (error instanceof AlmanacError && error.code === 'generation.not_found') return null
    throw error
  }
}
