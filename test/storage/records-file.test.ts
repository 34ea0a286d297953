// The records have a file of their own: it belongs to one org, and an org from before gives its records one.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkFolder } from '../../server/compose/check.ts'
import { copyOrgFiles, orgFile } from '../../server/compose/org-folder.ts'
import { enginesOf } from '../../server/compose/engines.ts'
import { initOrg, openOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { openRecordStore, openSqliteStore } from '../../server/storage/sqlite/index.ts'
import { ownTables, recordsFile } from '../../server/storage/sqlite/records/records-file.ts'
import { makeFullOrg } from '../faults/full-org.ts'

let folder: string
let dir: string
let file: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-records-file-'))
  dir = join(folder, 'org')
  file = recordsFile(await makeFullOrg(dir))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const notOfArchives = `name NOT IN ('record_archive', 'record_evidence', 'record_evidence_part', 'record_outbox', 'record_limit', 'record_ingest', 'record_ingest_part', 'record_log', 'record_log_epoch', 'record_partition', 'record_drainer', 'record_subscription')`

/** Before the ninth version, the file had neither events nor deliveries. */
const withoutEvents = `DROP TABLE record_event_outbox; DROP TABLE record_event; DROP TABLE record_log; DROP TABLE record_log_epoch;
  DROP TABLE record_partition; DROP TABLE record_drainer; DROP TABLE record_subscription;
  DELETE FROM record_seal WHERE name IN ('record_log', 'record_log_epoch', 'record_partition', 'record_drainer', 'record_subscription');
  DROP TABLE record_delivery; DROP TABLE record_delivery_body; DROP TABLE record_delivery_key;`

/** Before the eighth version, the file had no bulk jobs. */
const withoutIngests = `${withoutEvents} DROP TABLE record_ingest_batch; DROP TABLE record_ingest_part; DROP TABLE record_ingest;
  DELETE FROM record_seal WHERE name IN ('record_ingest', 'record_ingest_part');`

/** Before the seventh version, the file had no execution trace. */
const withoutTrace = `${withoutIngests} DROP TABLE record_trace;`

/** Before the sixth version, the file had no outbox. */
const withoutOutbox = `${withoutTrace} DROP TABLE record_limit; DROP TABLE record_outbox; ALTER TABLE record_org DROP COLUMN effect;
  DELETE FROM record_seal WHERE name IN ('record_outbox', 'record_limit');`

/** Before the fourth version, the file did not know the generation of the org. */
const withoutGeneration = `${withoutOutbox}
  ALTER TABLE record_org DROP COLUMN filled; ALTER TABLE record_org DROP COLUMN generation;`

/** Puts the records back into the file of the org, where they were before they had one. */
function mergeFiles(org: string): void {
  const db = new Database(orgFile(org))
  db.pragma('foreign_keys = OFF')
  db.prepare('ATTACH ? AS records').run(recordsFile(orgFile(org)))
  const rows = db
    .prepare(
      `SELECT type, name, sql FROM records.sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, rowid`,
    )
    .all() as { type: string; name: string; sql: string }[]
  for (const { type, name, sql } of rows) {
    if (ownTables.includes(name)) continue
    db.exec(sql.replace(/^CREATE (TABLE|INDEX) /, 'CREATE $1 main.'))
    if (type === 'table') db.exec(`INSERT INTO main."${name}" SELECT * FROM records."${name}"`)
  }
  // Orgs of that time had neither archives nor an outbox.
  db.exec(
    `INSERT INTO seal (name, id, digest) SELECT name, id, digest FROM record_seal WHERE ${notOfArchives}`,
  )
  db.close()
}

const read = async (): Promise<unknown> => {
  const store = openRecordStore(orgFile(dir))
  const rows = await store.read(async (reader) => ({
    position: await reader.position(),
    effects: await reader.effects(0, 10),
    bound: await reader.boundGenerations(),
  }))
  await store.close()
  return rows
}

describe('a file of records of the eighth version', () => {
  it('gets events, deliveries and the index of unfinished jobs when it is opened', async () => {
    const db = new Database(file)
    db.exec(`${withoutEvents} DROP INDEX record_ingest_unfinished; PRAGMA user_version = 8`)
    db.close()
    openSqliteStore(orgFile(dir)).close()
    expect(checkFolder(dir)).toEqual({ ok: true, findings: [] })
    const store = openRecordStore(orgFile(dir))
    const found = await store.read(async (reader) => [
      (await reader.deliveries({}, 10)).length,
      (await reader.ingests({ limit: 10 })).length,
    ])
    expect(found).toEqual([0, 1])
    const counts = await store.write(async (tx) => {
      const [job] = await tx.ingests({ limit: 1 })
      const states = ['open', 'queued', 'processing', 'completed', 'failed', 'aborted'] as const
      for (const state of states) await tx.putIngest({ ...job!, id: state, state, createdBy: 'ada' })
      await tx.putIngest({ ...job!, id: 'other', state: 'open', createdBy: 'bob' })
      return Promise.all(['ada', 'bob', 'cy'].map((user) => tx.countUnfinishedIngests(user)))
    })
    expect(counts).toEqual([3, 1, 0])
    await store.close()
    const again = new Database(file)
    const plan = again
      .prepare(
        "EXPLAIN QUERY PLAN SELECT count(*) FROM record_ingest WHERE state IN ('open', 'queued', 'processing') AND body ->> 'createdBy' = 'ada'",
      )
      .all()
    again.close()
    expect(JSON.stringify(plan)).toContain('record_ingest_unfinished')
  })
})

describe('a file of records of the seventh version', () => {
  it('gets bulk jobs when it is opened, and keeps its execution trace', async () => {
    const db = new Database(file)
    db.exec(`${withoutIngests} PRAGMA user_version = 7`)
    db.close()
    openSqliteStore(orgFile(dir)).close()
    expect(checkFolder(dir)).toEqual({ ok: true, findings: [] })
    const store = openRecordStore(orgFile(dir))
    const found = await store.read(async (reader) => [
      (await reader.ingests({ limit: 10 })).length,
      (await reader.trace({}, 10)).length,
    ])
    expect(found).toEqual([0, 1])
    await store.close()
  })
})

describe('a file of records of the sixth version', () => {
  it('gets an execution trace when it is opened, and keeps its outbox', async () => {
    const db = new Database(file)
    db.exec(`${withoutTrace} PRAGMA user_version = 6`)
    db.close()
    openSqliteStore(orgFile(dir)).close()
    expect(checkFolder(dir)).toEqual({ ok: true, findings: [] })
    const store = openRecordStore(orgFile(dir))
    const found = await store.read(async (reader) => [
      (await reader.trace({}, 10)).length,
      (await reader.outboxRows({}, 10)).length,
    ])
    expect(found).toEqual([0, 2])
    await store.close()
  })
})

describe('a file of records of the fifth version', () => {
  it('gets an outbox when it is opened, and is intact', async () => {
    const db = new Database(file)
    db.exec(`${withoutOutbox} PRAGMA user_version = 5`)
    db.close()
    openSqliteStore(orgFile(dir)).close()
    expect(checkFolder(dir)).toEqual({ ok: true, findings: [] })
    const store = openRecordStore(orgFile(dir))
    expect(await store.read((reader) => reader.outboxRows({}, 10))).toEqual([])
    await store.close()
  })
})

describe('a file of records of the second version', () => {
  it('gets the index of the fields of archives when it is opened, and is intact', async () => {
    const db = new Database(file)
    db.exec(`DROP INDEX record_evidence_field; ${withoutGeneration} PRAGMA user_version = 2`)
    db.close()
    openSqliteStore(orgFile(dir)).close()
    expect(checkFolder(dir)).toEqual({ ok: true, findings: [] })
    const again = new Database(file)
    const indexes = again.prepare("SELECT name FROM sqlite_schema WHERE name = 'record_evidence_field'").all()
    again.close()
    expect(indexes).toHaveLength(1)
  })
})

describe('a file of records of the first version', () => {
  it('gets the tables of archives when it is opened, and is intact', async () => {
    const before = await read()
    const db = new Database(file)
    db.exec(`DROP TABLE record_archive; DROP TABLE record_evidence; DROP TABLE record_evidence_part;
      DELETE FROM record_seal WHERE NOT (${notOfArchives}); ${withoutGeneration} PRAGMA user_version = 1`)
    db.close()
    openSqliteStore(orgFile(dir)).close()
    expect(await read()).toEqual(before)
    expect(checkFolder(dir)).toEqual({ ok: true, findings: [] })
    const store = openRecordStore(orgFile(dir))
    expect(await store.read((reader) => reader.archives({ by: null, after: null, limit: 10 }))).toEqual([])
    await store.close()
  })
})

describe('an org whose file contains its records', () => {
  it('gives them a file of their own when it is opened, with everything that they contained', async () => {
    const before = await read()
    mergeFiles(dir)
    rmSync(file)
    openSqliteStore(orgFile(dir)).close()
    expect(existsSync(file)).toBe(true)
    expect(await read()).toEqual(before)
    expect(checkFolder(dir)).toEqual({ ok: true, findings: [] })
    const db = new Database(orgFile(dir))
    const left = db.prepare(`SELECT count(*) FROM sqlite_schema WHERE name GLOB 'record_*'`).pluck().get()
    db.close()
    expect(left).toBe(0)
  })

  it('does so again if it was interrupted after the file was written', async () => {
    const before = await read()
    mergeFiles(dir)
    openSqliteStore(orgFile(dir)).close()
    expect(await read()).toEqual(before)
  })

  it('is not opened over a file with later records', () => {
    const earlier = join(folder, 'earlier')
    cpSync(dir, earlier, { recursive: true })
    mergeFiles(earlier)
    const db = new Database(orgFile(earlier))
    db.exec('DELETE FROM record_change')
    db.close()
    expect(() => openSqliteStore(orgFile(earlier))).toThrow(
      /records\.sqlite cannot be read: it contains records/,
    )
    expect(existsSync(recordsFile(orgFile(earlier)))).toBe(true)
  })
})

it('removes what a killed process has left when the records get their file', () => {
  mergeFiles(dir)
  const left = `${file}.99.new`
  writeFileSync(left, 'records')
  writeFileSync(`${left}-journal`, 'records')
  openSqliteStore(orgFile(dir)).close()
  expect([existsSync(left), existsSync(`${left}-journal`)]).toEqual([false, false])
})

describe('a file that was removed or replaced while it is open', () => {
  const damaged = expect.objectContaining({ code: 'storage.damaged' })

  it.each([
    ['removed', () => rmSync(file)],
    ['emptied', () => truncateSync(file)],
  ])('takes no save once it was %s', async (_, change) => {
    const store = openRecordStore(orgFile(dir))
    const org = openSqliteStore(orgFile(dir))
    await read()
    change()
    expect(() => store.write(async () => undefined)).toThrow(damaged)
    expect(() => org.probe()).toThrow(damaged)
    org.close()
  })
})

describe('an org is not opened', () => {
  it('with records of generations that it does not have, as after half a restore', () => {
    const db = new Database(orgFile(dir))
    db.exec('UPDATE org SET active = 1')
    db.close()
    expect(() => openSqliteStore(orgFile(dir))).toThrow(
      /records\.sqlite cannot be read: it knows generation 4, but org\.sqlite ends with generation 1/,
    )
  })

  describe('with one of its files from an older backup', () => {
    const older = (): string => join(folder, 'older')
    const restore = (name: string): void => {
      for (const suffix of ['-wal', '-shm']) rmSync(join(dir, name + suffix), { force: true })
      cpSync(join(older(), name), join(dir, name))
    }
    const insert = async (org: OpenedOrg, name: string): Promise<void> => {
      const command = { generation: org.activeGeneration(), user: 'ada', correlationId: 'c', scopePath: {} }
      const items = [{ op: 'insert', object: 'person', fields: { name } }] as const
      const { reply } = await org.records.save({ ...command, items, allOrNone: true, reply: 'ids' })
      expect(reply.results).toMatchObject([{ ok: true }])
    }
    const apply = (org: OpenedOrg, ...components: object[]): Promise<unknown> =>
      org.apply({ source: { kind: 'components', components }, actor: 'admin', rationale: 'test' })
    const person = {
      ...{ type: 'object', key: 'person', label: 'Person' },
      body: { fields: [{ key: 'name', type: 'text' }] },
    }
    const rights = {
      ...{ type: 'permission_set', key: 'clerk', label: 'Clerk' },
      body: {
        objects: { person: { create: true, read: true, viewAll: true } },
        fields: { 'person.name': { read: true, edit: true } },
      },
    }
    const note = (key: string): object => ({ type: 'value_set', key, label: key, body: { values: [] } })
    beforeEach(async () => {
      rmSync(dir, { recursive: true })
      const org = initOrg(dir, { name: 'Restored', environment: 'test' })
      await apply(org, person, rights)
      const by = { actor: 'admin', correlationId: 'c', isOperator: true }
      await enginesOf(org).access.addUser(by, { key: 'ada', name: 'Ada', permissionSets: ['clerk'] })
      await insert(org, 'Ada')
      await org.close()
      mkdirSync(older())
      await copyOrgFiles(dir, older())
    })

    it('whose records lack writes that it has seen', async () => {
      const org = openOrg(dir)
      await insert(org, 'Ben')
      await apply(org, note('a'))
      await org.close()
      restore('records.sqlite')
      expect(() => openSqliteStore(orgFile(dir))).toThrow(
        /records\.sqlite cannot be read: it ends with write 1 of records, but org\.sqlite has seen write 2, .* restore both together/,
      )
      restore('org.sqlite')
      openSqliteStore(orgFile(dir)).close()
    })

    it('whose records lack writes that it has seen when it was closed', async () => {
      const org = openOrg(dir)
      await apply(org, note('a'))
      await insert(org, 'Ben')
      await org.close()
      restore('records.sqlite')
      expect(() => openSqliteStore(orgFile(dir))).toThrow(/has seen write 2/)
    })

    it('which lacks a generation that its records have seen, even if none of them used it', async () => {
      const org = openOrg(dir)
      await apply(org, note('a'))
      await org.close()
      restore('org.sqlite')
      expect(() => openSqliteStore(orgFile(dir))).toThrow(
        /records\.sqlite cannot be read: it knows generation 3, but org\.sqlite ends with generation 2/,
      )
      restore('records.sqlite')
      openSqliteStore(orgFile(dir)).close()
    })
  })

  it('with damaged records, which are named', () => {
    writeFileSync(file, 'not a database'.repeat(1000))
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
    expect(() => openSqliteStore(orgFile(dir))).toThrow(/records\.sqlite cannot be read/)
    expect(checkFolder(dir).findings[0]!.message).toContain('records.sqlite')
  })

  it('without the file of its records', () => {
    rmSync(file)
    expect(() => openSqliteStore(orgFile(dir))).toThrow(
      expect.objectContaining({ code: 'org.damaged', message: expect.stringContaining('it is missing') }),
    )
    expect(existsSync(file)).toBe(false)
  })

  it('with the records of another org', async () => {
    const other = join(folder, 'other')
    await initOrg(other, { name: 'Other', environment: 'test' }).close()
    cpSync(recordsFile(orgFile(other)), file)
    expect(() => openSqliteStore(orgFile(dir))).toThrow(/it belongs to another org/)
  })
})

it('copies both files as they were at one moment', async () => {
  const copy = join(folder, 'copy')
  cpSync(dir, copy, { recursive: true })
  rmSync(orgFile(copy))
  rmSync(recordsFile(orgFile(copy)))
  const store = openRecordStore(orgFile(dir))
  const effect = await store.read(async (reader) => (await reader.effects(0, 1))[0]!)
  const org = openOrg(dir)
  const copying = copyOrgFiles(dir, copy)
  // After the snapshots were opened, which is at once.
  const { sequence, ...another } = effect
  await store.write((tx) => tx.append(another))
  await org.write((transactor) => transactor.settings.put('later', 1))
  await copying
  const copied = openRecordStore(orgFile(copy))
  expect(sequence).toBe(1)
  const effects = (each: typeof store): Promise<number> =>
    each.read(async (reader) => (await reader.effects(0, 10)).length)
  expect([await effects(store), await effects(copied)]).toEqual([3, 2])
  await Promise.all([store.close(), copied.close(), org.close()])
  const copiedOrg = openOrg(copy)
  expect(copiedOrg.store.read((reader) => reader.settings.get('later'))).toBeUndefined()
  await copiedOrg.close()
})
