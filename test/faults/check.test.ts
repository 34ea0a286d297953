// almanac check finds one changed value in any column of any table, and nothing in an org that is unchanged.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initOrg } from '../../server/compose/open-org.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import { recordsFile } from '../../server/storage/sqlite/records/records-file.ts'
import { checkFolder } from '../../server/compose/check.ts'
import { migrations } from '../../server/storage/sqlite/migrations/index.ts'
import { findBrokenSeals } from '../../server/storage/sqlite/seals.ts'
import { fee, feeSet } from '../support/fees.ts'
import { changeOne, columnsOf, makeFullOrg } from './full-org.ts'

const folder = mkdtempSync(join(tmpdir(), 'almanac-check-'))
const whole = join(folder, 'whole')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Values from which nothing is computed, with the reason why a change to them is not a finding. */
const unverified: Readonly<Record<string, string>> = {
  'search_docsize.origin': 'SQLite numbers the segments of its index by history; no search reads the number',
  'search_name_docsize.origin': 'the same',
  'record_org.filled': 'the last generation for which fills were created; no value is computed from it',
  'record_org.effect': 'a bound for the numbers of later effects; those of earlier ones are in their digests',
  'record_event_outbox.id': 'the order in which events are numbered, which is found again by their places',
  'position.value': 'the number of writes is compared for equality alone, while one process has the org open',
}

beforeAll(async () => {
  const db = new Database(await makeFullOrg(whole))
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  const records = new Database(recordsOf(whole))
  records.pragma('wal_checkpoint(TRUNCATE)')
  records.close()
})

const recordsOf = (dir: string): string => recordsFile(orgFile(dir))

/** A copy of the org, changed by `change`, as the check reads it. */
function checked(
  change: (db: Database.Database) => void,
  fileOf: (dir: string) => string = orgFile,
): ReturnType<typeof checkFolder> {
  const copy = join(folder, 'copy')
  rmSync(copy, { recursive: true, force: true })
  cpSync(whole, copy, { recursive: true })
  chmodSync(copy, 0o700)
  const db = new Database(fileOf(copy))
  change(db)
  db.close()
  return checkFolder(copy)
}

describe('almanac check', () => {
  it('finds nothing in an org with rows in every table', () => {
    expect(checked(() => undefined)).toEqual({ ok: true, findings: [] })
  })

  it.each([
    ['the org', orgFile, 100],
    ['the records', recordsOf, 60],
  ])(
    'finds one changed value in each column of each table of %s',
    (_, fileOf, fewest) => {
      const db = new Database(fileOf(whole), { readonly: true })
      const columns = columnsOf(db)
      db.close()
      expect(columns.length).toBeGreaterThan(fewest)
      const unseen: string[] = []
      const empty = new Set<string>()
      for (const column of columns) {
        const name = `${column.table}.${column.column}`
        const { ok } = checked((copy) => {
          if (!changeOne(copy, column)) empty.add(column.table)
        }, fileOf)
        if (ok && !Object.hasOwn(unverified, name) && !empty.has(column.table)) unseen.push(name)
      }
      expect(unseen).toEqual([])
      expect([...empty]).toEqual([])
    },
    900_000,
  )

  it.each([
    ['a row that was removed', "DELETE FROM user WHERE key = 'rea'", 'integrity.row_missing'],
    ['a row that was added', "INSERT INTO user_group (key, name) VALUES ('x', 'X')", 'integrity.row_unknown'],
    [
      'the end of the audit cut off',
      'DELETE FROM audit WHERE id = (SELECT max(id) FROM audit)',
      'integrity.audit_chain',
    ],
    ['an index that was dropped', 'DROP INDEX audit_by_component', 'integrity.schema'],
    [
      'a version that was removed',
      "DELETE FROM placement WHERE key = 'fee.a' AND to_gen < 9000000000000000",
      'integrity.placement',
    ],
  ])('finds %s', (_, sql, code) => {
    const { ok, findings } = checked((db) => {
      db.pragma('foreign_keys = OFF')
      db.exec(sql)
    })
    expect(ok).toBe(false)
    expect(findings.map((finding) => finding.code)).toContain(code)
  })

  describe('in a file with a changed byte', () => {
    const withByte = (at: number, bits: number, fileOf = orgFile): ReturnType<typeof checkFolder> => {
      const copy = join(folder, 'copy')
      rmSync(copy, { recursive: true, force: true })
      cpSync(whole, copy, { recursive: true })
      chmodSync(copy, 0o700)
      const bytes = readFileSync(fileOf(copy))
      bytes[at]! ^= bits
      writeFileSync(fileOf(copy), bytes)
      return checkFolder(copy)
    }

    it.each([
      ['the page size of the header', 21, 0x02],
      ['the format of the schema', 47, 0x02],
      [
        'the version of the schema, so that steps seem to be missing',
        63,
        migrations.length ^ (migrations.length - 2),
      ],
    ])('names %s', (_, at, bits) => {
      const { ok, findings } = withByte(at, bits)
      expect([ok, findings.map(({ code }) => code)]).toEqual([false, ['integrity.file']])
    })

    it.each([
      ['the org', orgFile],
      ['the records', recordsOf],
    ])(
      'reports what it found, whichever page of %s is damaged',
      (_, fileOf) => {
        const pages = statSync(fileOf(whole)).size / 4096
        for (let page = 1; page < pages; page += 1) {
          const { ok, findings } = withByte(page * 4096, 0xff, fileOf)
          expect([page, ok, findings.some(({ code }) => code.startsWith('integrity.'))]).toEqual([
            page,
            false,
            true,
          ])
        }
      },
      300_000,
    )
  })

  it.each([
    ['is missing', (file: string) => rmSync(file)],
    ['is a different one', (file: string) => writeFileSync(file, `${'ab'.repeat(32)}\n`)],
    ['is cut off', (file: string) => writeFileSync(file, 'ab\n')],
  ])('reports a signing key that %s, and does not make a new one', (_, change) => {
    const key = join(folder, 'copy', 'signing.key')
    const { ok, findings } = checked(() => change(key))
    expect([ok, findings.map(({ code }) => code)]).toEqual([false, ['integrity.signing_key']])
    if (existsSync(key)) expect(readFileSync(key, 'utf8')).toMatch(/^ab/)
  })

  it('names the row that was changed', () => {
    const { findings } = checked(
      (db) => void db.exec("UPDATE user SET password_hash = 'x' WHERE key = 'rea'"),
    )
    expect(findings).toMatchObject([{ code: 'integrity.row_altered', component: 'user/rea' }])
  })

  it('would miss a changed setting without the digests of rows', () => {
    // Without the protection: digests that were computed again after the change.
    const { ok } = checked((db) => {
      db.exec(`UPDATE setting SET json = '{"required":0}' WHERE name = 'approvals'`)
      expect(findBrokenSeals(db)).toHaveLength(1)
      db.exec(`UPDATE seal SET digest = seal_of(json_array('setting', s.name, s.json)) FROM setting s
        WHERE seal.name = 'setting' AND seal.id = json_array(s.name)`)
    })
    expect(ok).toBe(true)
  })

  it('finds nothing in 50 random orgs with changes, renames, rollbacks and purges', async () => {
    const step = fc.oneof(
      fc.record({ slug: fc.constantFrom('a', 'b', 'c', 'd'), amount: fc.constantFrom('1', '2', '3') }),
      fc.constantFrom('rollback' as const, 'purge' as const, 'rename' as const),
    )
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const dir = join(folder, `random-${(run += 1)}`)
        const org = initOrg(dir, { name: 'Random', environment: 'test' })
        const apply = (components: object[]) =>
          org.apply({ source: { kind: 'components', components }, actor: 'admin' })
        await apply([feeSet()])
        for (const each of steps) {
          const active = org.activeGeneration()
          if (each === 'rollback')
            await org.rollback(Math.max(2, active - 1), { actor: 'admin' }).catch(() => null)
          else if (each === 'rename')
            await apply([{ ...fee('r', '9', { key: 'R' }), renamedFrom: 'fee.a' }]).catch(() => null)
          else if (each === 'purge')
            await org.write((transactor) => transactor.generations.purgeBefore(active - 1))
          else await apply([fee(each.slug, each.amount)])
        }
        await org.close()
        expect(checkFolder(dir)).toEqual({ ok: true, findings: [] })
        rmSync(dir, { recursive: true, force: true })
      }),
      { numRuns: 50 },
    )
  }, 900_000)
})
