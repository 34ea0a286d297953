// The history of a deleted record, page by page: a deletion has the version of the write before it.
import { expect, it } from 'vitest'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { RecordChange } from '../../server/ports/record-store.ts'
import { maxPageCharacters } from '../../server/ports/page-size.ts'
import { createMemoryRecordStore } from '../../server/storage/sqlite/records/open-record-store.ts'

const object = 'object/note@1' as ObjectId
const field = 1 as FieldId
const record = '00000000-0000-7000-8000-000000000001'

it.each([
  ['one change', 1, 'a'],
  ['few characters', 10, 'a'.repeat(maxPageCharacters)],
])('a page of %s does not separate a deletion from the write before it', async (_name, limit, text) => {
  const store = createMemoryRecordStore()
  const change = (version: number, operation: RecordChange['operation'], after: string | null) => ({
    ...{ object, record, version, operation, at: 'x', by: 'a', correlationId: 'c', generation: 1 },
    ...{ fields: [{ field, before: text, after }], bindings: [] },
  })
  await store.write(async (tx) => {
    await tx.appendChange(change(1, 'insert', text))
    await tx.appendChange(change(2, 'update', text))
    await tx.appendChange(change(2, 'delete', null))
  })
  const pageOf = (before?: number) =>
    store.read(async (reader) => {
      const { changes, hasMore } = await reader.history(object, record, { before, limit })
      return { changes: changes.map(({ version, operation }) => `${operation} ${version}`), hasMore }
    })
  expect(await pageOf()).toEqual({ changes: ['delete 2', 'update 2'], hasMore: true })
  expect(await pageOf(2)).toEqual({ changes: ['insert 1'], hasMore: false })
  await store.close()
})
