// Work inside a transaction of either store is marked, so that an outgoing call from there is caught when it is made.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { initOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import { isInsideTransaction } from '../../server/ports/transaction-scope.ts'
import type { RecordStore } from '../../server/ports/record-store.ts'
import { openRecordStore } from '../../server/storage/sqlite/index.ts'

let dir: string
let org: OpenedOrg
let records: RecordStore
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-inside-'))
  org = initOrg(dir, { name: 'Inside', environment: 'test' })
  records = openRecordStore(orgFile(dir))
})
afterAll(async () => {
  await records.close()
  await org.close()
  rmSync(dir, { recursive: true, force: true })
})

const later = async (): Promise<boolean> => {
  await new Promise((resolve) => setTimeout(resolve, 1))
  return isInsideTransaction()
}

it('the work of a write is inside, that of a read and what follows are not', async () => {
  expect(await records.write(later)).toBe(true)
  expect(await records.writeMany(later)).toBe(true)
  expect(await records.read(later)).toBe(false)
  expect(await org.write(() => isInsideTransaction())).toBe(true)
  expect(org.store.read(() => isInsideTransaction())).toBe(false)
  await expect(
    records.write(async () => {
      throw new Error('the work fails')
    }),
  ).rejects.toThrow('the work fails')
  expect(isInsideTransaction()).toBe(false)
})
