// A row that was changed in the database without its digest is not served: by its own, or as part of its set.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOf, initOrg, openOrg, orgFile } from '../../server/compose.ts'
import { fee, feeSet } from '../support/fees.ts'

const by = { actor: 'admin', correlationId: 'c', operator: true }
let dir: string
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-altered-'))
  const org = initOrg(dir, { name: 'Altered', environment: 'test' })
  const apply = (...components: object[]) =>
    org.apply({ source: { kind: 'components', components }, actor: 'admin' })
  await apply({
    ...feeSet(),
    body: { ...(feeSet() as { body: object }).body, read: { administrator: 'read' } },
  })
  await apply(fee('a', '1'), fee('b', '2'))
  await apply(fee('a', '3'))
  await org.close()
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** Asks for a fee once the database was changed by hand. */
async function asked(sql: string, key = 'a'): Promise<unknown> {
  const db = new Database(orgFile(dir))
  db.pragma('foreign_keys = OFF')
  expect(db.prepare(sql).run().changes).toBeGreaterThan(0)
  db.close()
  const org = openOrg(dir)
  try {
    const { evaluation } = enginesOf(org)
    return evaluation.resolve(by, { set: 'fee', key, asOf: null } as never)
  } catch (error) {
    return error
  } finally {
    await org.close()
  }
}

const damaged = (id: string) =>
  expect.objectContaining({ code: 'storage.damaged', message: expect.stringContaining(id) })

describe('a row that was changed by hand', () => {
  it.each([
    [
      'the value of an entry',
      `UPDATE content SET json = replace(json, '"amount":"3.00"', '"amount":"9.00"')
       WHERE digest = (SELECT digest FROM placement WHERE key = 'fee.a' AND from_gen = 4)`,
      'config_entry/fee.a',
    ],
    [
      'the version of an entry that is active',
      `UPDATE placement SET digest = (SELECT digest FROM placement WHERE key = 'fee.a' AND from_gen = 3)
       WHERE key = 'fee.a' AND from_gen = 4`,
      'config_set/fee',
    ],
    ['the generations of an entry', `UPDATE placement SET to_gen = 4 WHERE key = 'fee.b'`, 'config_set/fee'],
    [
      'the definition of a set',
      `UPDATE content SET json = replace(json, 'Fee', 'Fie') WHERE json LIKE '%"key":"fee"%'`,
      'config_set/fee',
    ],
    ['the digest of a set', `UPDATE set_fact SET digest = digest || 'x'`, 'config_set/fee'],
  ])('is not served: %s', async (_, sql, id) => {
    expect(await asked(sql)).toEqual(damaged(id))
  })

  it('does not stop what was not changed', async () => {
    const sql = `UPDATE content SET json = replace(json, '"amount":"1.00"', '"amount":"9.00"')`
    expect(JSON.stringify(await asked(sql))).toContain('"3.00"')
  })
})
