// A read-only disk and a damaged page are refused with specific codes, and the readiness probe notices them.
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { initOrg, openOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import { openSqliteStore } from '../../server/storage/sqlite/index.ts'
import { createReadiness } from '../../server/http/index.ts'
import { fee, feeSet } from '../support/fees.ts'

let dir: string
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-damaged-'))
  const org = initOrg(dir, { name: 'Damaged', environment: 'test' })
  await org.apply({ source: { kind: 'components', components: [feeSet(), fee('a', '1')] }, actor: 'admin' })
  await org.close()
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** Overwrites every page but the first, or the first page of a table, with bytes that no page begins with. */
function damagePages(file: string, table?: string): void {
  const db = new Database(file)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const root = db
    .prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?')
    .pluck()
    .get(table ?? '')
  db.close()
  const size = statSync(file).size
  const open = openSync(file, 'r+')
  const pages = Array.from({ length: size / 4096 - 1 }, (_, at) => (at + 1) * 4096)
  for (const at of table === undefined ? pages : [(Number(root) - 1) * 4096])
    writeSync(open, Buffer.alloc(64, 0xee), 0, 64, at)
  closeSync(open)
}

describe('a read-only disk', () => {
  it('refuses a write with its own code, and the next write works once the disk is writable', () => {
    let db: Database.Database
    const store = openSqliteStore(orgFile(dir), { onConnect: (connection) => (db = connection) })
    db!.pragma('query_only = ON')
    expect(() => store.write((transactor) => transactor.settings.put('a', 1))).toThrow(
      expect.objectContaining({
        code: 'storage.read_only',
        kind: expect.objectContaining({ status: 503, retriable: true }),
      }),
    )
    db!.pragma('query_only = OFF')
    store.write((transactor) => transactor.settings.put('a', 1))
    expect(store.read((reader) => reader.settings.get('a'))).toBe(1)
    store.close()
  })
})

describe('a damaged page', () => {
  it('is noticed by the probe of a running server that has already read the page', async () => {
    const org = openOrg(dir)
    let time = 0
    const readiness = createReadiness({ org, requireSigningKey: () => undefined, elapsed: () => time })
    await readiness.check()
    damagePages(orgFile(dir))
    // Within the interval, many probes share one result.
    await readiness.check()
    time += 60_000
    await expect(readiness.check()).rejects.toMatchObject({ code: 'storage.damaged' })
    org.store.close()
  })

  it.each(['result', 'remote', 'sign_in', 'discarded_draft'])(
    'is noticed in a table that only the probe reads: %s',
    async (table) => {
      const org = openOrg(dir)
      let time = 0
      const readiness = createReadiness({ org, requireSigningKey: () => undefined, elapsed: () => time })
      await readiness.check()
      damagePages(orgFile(dir), table)
      time += 60_000
      await expect(readiness.check()).rejects.toMatchObject({ code: 'storage.damaged' })
      org.store.close()
    },
  )

  it('is refused with its code when it is read', () => {
    const store = openSqliteStore(orgFile(dir))
    damagePages(orgFile(dir))
    expect(() => store.read((reader) => reader.audit.list({}))).toThrow(
      expect.objectContaining({ code: 'storage.damaged' }),
    )
    store.close()
  })
})

describe('readiness', () => {
  const ready = (org: OpenedOrg, parts: Partial<OpenedOrg>) =>
    createReadiness({
      org: { ...org, ...parts },
      requireSigningKey: () => undefined,
      elapsed: () => 0,
    }).check()

  it('fails if the worker does not run, but not while another process writes', async () => {
    const org = openOrg(dir, { busyMs: 1 })
    const died = ready(org, { plan: () => Promise.reject(new Error('The worker ended.')) })
    await expect(died).rejects.toMatchObject({ code: 'server.not_ready' })
    const other = new Database(orgFile(dir))
    other.exec('BEGIN IMMEDIATE')
    await ready(org, {})
    other.close()
    await org.close()
  })

  it('writes once for many probes', async () => {
    const org = openOrg(dir)
    let writes = 0
    const write: typeof org.write = (work) => {
      writes += 1
      return org.write(work)
    }
    const readiness = createReadiness({
      org: { ...org, write },
      requireSigningKey: () => undefined,
      elapsed: () => 0,
    })
    await Promise.all(Array.from({ length: 100 }, () => readiness.check()))
    expect(writes).toBe(1)
    await org.close()
  })
})
