// Which objects have records that changed since the last look, by any process.
import type { RecordFacts } from '../ports/record-facts.ts'
import type { RecordStore } from '../ports/record-store.ts'
import type { RecordSnapshots } from './deps.ts'

interface FeedParts {
  /** Opened only once an object has records. */
  store(): Pick<RecordStore, 'read'>
  snapshots: Pick<RecordSnapshots, 'active'>
  anyRecords: RecordFacts['any']
}

/**
 * Each call returns the keys of the objects of which records changed since the previous call. Costs only the changes
 * since then.
 */
export function createRecordFeed({ store, snapshots, anyRecords }: FeedParts): () => Promise<string[]> {
  let last = anyRecords() ? null : 0
  return async () => {
    if (!anyRecords()) return []
    return store().read(async (reader) => {
      const [from, position] = [last, await reader.position()]
      last = position
      if (from === null || from === position) return []
      const { names } = snapshots.active()
      return (await reader.changedObjects(from)).flatMap((id) => names.objectKey(id) ?? [])
    })
  }
}
