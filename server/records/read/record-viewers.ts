// Who can see a record, and why.
import type { EffectiveAccess, ObjectRight, RowAccessReason } from '../../access/index.ts'
import { recordAccess } from '../../access/index.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'
import { viewValues } from '#kernel/records/index.ts'
import { loadRelated } from '../save/related-records.ts'
import type { RecordCaller } from './record-caller.ts'

export interface RecordViewer {
  user: string
  /** What the user can do with this record. */
  rights: Exclude<ObjectRight, 'create'>[]
  /** Why the record is shared with the user, the strongest access first. */
  reasons: RowAccessReason[]
}

/** The users who can read the record, in the given order. */
export async function recordViewers(
  { present, scopePath }: Pick<RecordCaller, 'present' | 'scopePath'>,
  reader: RecordReader,
  object: string,
  record: StoredRecord,
  users: readonly EffectiveAccess[],
): Promise<RecordViewer[]> {
  const loaded = await loadRelated(reader, [{ snapshot: present, object, records: [record.values] }], 'read')
  const view = viewValues(object, record.values, present, loaded)
  return users.flatMap((user): RecordViewer[] => {
    const access = recordAccess(user, { snapshot: present, scopePath })
    if (!access.may(object, 'read')) return []
    const reasons = access.reasons(view)
    if (reasons.length === 0) return []
    const canWrite = reasons.some((reason) => reason.access === 'read_write')
    const writes = (['update', 'delete'] as const).filter((right) => canWrite && access.may(object, right))
    return [{ user: access.user, rights: ['read', ...writes], reasons }]
  })
}
