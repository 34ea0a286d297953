// The history of a record, read page by page.
import type { ObjectId } from '#kernel/records/index.ts'
import type { RecordChange, RecordReader } from '../../ports/record-store.ts'

const limit = 100

/** All changes of a record, the newest first. */
export async function* changesOf(
  reader: Pick<RecordReader, 'history'>,
  object: ObjectId,
  record: string,
): AsyncGenerator<RecordChange, void, undefined> {
  let before: number | undefined
  for (;;) {
    const { changes, hasMore } = await reader.history(object, record, { before, limit })
    yield* changes
    if (!hasMore) return
    before = changes.at(-1)!.version
  }
}
