// The history of a record, as tests compare it.
import type { ObjectId } from '../../server/kernel/records/index.ts'
import type { RecordChange, RecordReader } from '../../server/ports/record-store.ts'
import { changesOf } from '../../server/records/read/changes-of.ts'

/** All changes of a record, the first one first. */
export async function allChanges(
  reader: Pick<RecordReader, 'history'>,
  object: ObjectId,
  record: string,
): Promise<RecordChange[]> {
  const changes: RecordChange[] = []
  for await (const change of changesOf(reader, object, record)) changes.unshift(change)
  return changes
}
