// A full disk refuses a write and affects nothing else: no transaction stays open, and the next write works once there
// is space.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSqliteStore, openSqliteStore } from '../../server/storage/sqlite/index.ts'
import type { OrgStore } from '../../server/ports/org-store.ts'
import type { RollBack } from '../../server/storage/sqlite/transaction.ts'
import { facts } from '../storage/stores.ts'
import { runningServer } from '../support/running-server.ts'
import { fee, feeSet } from '../support/fees.ts'
import { canMount, noMount, smallDisk, type SmallDisk } from './full-disk.ts'

const big = 'x'.repeat(1_000_000)

describe('a store whose file cannot grow', () => {
  let folder: string
  let opened: OrgStore[] = []
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'almanac-full-'))))
  afterEach(() => {
    for (const store of opened) store.close()
    opened = []
    rmSync(folder, { recursive: true, force: true })
  })

  /** A store, and a function that limits its size in pages. */
  function limited(rollBack?: RollBack): { store: OrgStore; limit: (pages: number) => void } {
    const path = join(folder, 'org.sqlite')
    createSqliteStore(path, facts).close()
    let db: Database
    const store = openSqliteStore(path, { rollBack, onConnect: (connection) => (db = connection) })
    opened.push(store)
    return { store, limit: (pages) => void db.pragma(`max_page_count = ${pages}`) }
  }

  it('rolls back, reports the cause, and writes again once there is space', () => {
    const { store, limit } = limited()
    limit(1)
    expect(() => store.write((transactor) => transactor.settings.put('a', big))).toThrow(
      expect.objectContaining({ code: 'storage.full', kind: expect.objectContaining({ status: 507 }) }),
    )
    expect(store.read((reader) => reader.settings.get('a'))).toBeUndefined()
    const other = openSqliteStore(join(folder, 'org.sqlite'), { busyMs: 50 })
    opened.push(other)
    other.write((transactor) => transactor.settings.put('b', 1))
    limit(1_000_000)
    store.write((transactor) => transactor.settings.put('a', big))
    expect(store.read((reader) => [reader.settings.get('a'), reader.settings.get('b')])).toEqual([big, 1])
  })

  it('is noticed if a failed write is not rolled back', () => {
    const { store } = limited(() => undefined)
    expect(() =>
      store.write((transactor) => {
        transactor.settings.put('a', 1)
        throw new Error('planted')
      }),
    ).toThrow('planted')
    const other = openSqliteStore(join(folder, 'org.sqlite'), { busyMs: 50 })
    opened.push(other)
    expect(() => other.write((transactor) => transactor.settings.put('b', 1))).toThrow(
      expect.objectContaining({ code: 'org.busy' }),
    )
  })
})

describe.skipIf(!canMount)(`a server on a full disk (if skipped: ${noMount})`, () => {
  let disk: SmallDisk
  beforeEach(() => (disk = smallDisk(24)))
  afterEach(() => disk.dispose())

  it('reports it, is not ready, and continues without a restart once there is space', async () => {
    const test = await runningServer({}, disk.dir)
    try {
      const apply = (amount: string) =>
        test.studio('POST', '/metadata/v3/apply', { components: [feeSet(), fee('a', amount)] })
      expect((await apply('1')).status).toBe(200)
      disk.fill()
      const refused = await apply('2')
      expect([refused.status, refused.body['code'], refused.body['retriable']]).toEqual([
        507,
        'storage.full',
        true,
      ])
      const draft = { text: '{}', version: 0 }
      const path = '/setup/v3/drafts/config_entry/fee.b'
      expect((await test.studio('PUT', path, draft)).body['code']).toBe('storage.full')
      expect((await test.plain('GET', '/readyz')).body['code']).toBe('storage.full')
      expect((await test.plain('GET', '/healthz')).status).toBe(200)
      disk.free()
      expect((await apply('2')).status).toBe(200)
      expect((await test.studio('PUT', path, draft)).status).toBe(200)
      await expect
        .poll(async () => (await test.plain('GET', '/readyz')).status, { timeout: 10_000 })
        .toBe(200)
    } finally {
      await test.close()
    }
  })
})
