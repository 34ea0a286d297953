// A row that was changed in the database without its digest is not served: neither alone nor as part of its set.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOf } from '../../server/compose/engines.ts'
import { initOrg, openOrg } from '../../server/compose/open-org.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import { createReadiness } from '../../server/http/index.ts'
import { fee, feeSet } from '../support/fees.ts'
import { runningServer } from '../support/running-server.ts'

const by = { actor: 'admin', correlationId: 'c', isOperator: true }
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

/** Requests a fee after the database was changed by hand. */
async function requestFee(sql: string, key = 'a'): Promise<unknown> {
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
    expect(await requestFee(sql)).toEqual(damaged(id))
  })

  it('does not affect rows that were not changed', async () => {
    const sql = `UPDATE content SET json = replace(json, '"amount":"1.00"', '"amount":"9.00"')`
    expect(JSON.stringify(await requestFee(sql))).toContain('"3.00"')
  })
})

describe('readiness', () => {
  const nine = `UPDATE content SET json = replace(json, '"amount":"3.00"', '"amount":"9.00"') WHERE json LIKE '%"3.00"%'`
  const three = `UPDATE content SET json = replace(json, '"amount":"9.00"', '"amount":"3.00"') WHERE json LIKE '%"9.00"%'`
  const altered = (sql: string): void => {
    const db = new Database(orgFile(dir))
    expect(db.prepare(sql).run().changes).toBeGreaterThan(0)
    db.close()
  }

  it('is refused after a start over an altered row of the active generation, until it is restored', async () => {
    altered(nine)
    const org = openOrg(dir)
    let time = 0
    const readiness = createReadiness({ org, requireSigningKey: () => undefined, elapsed: () => time })
    await expect(readiness.check()).rejects.toEqual(damaged('config_entry/fee.a'))
    altered(three)
    time += 60_000
    await expect(readiness.check()).rejects.toEqual(damaged('config_entry/fee.a'))
    time += 60_000
    await readiness.check()
    await org.close()
  })

  it('is refused once a request met an altered row, but not for one of the past', async () => {
    const org = openOrg(dir)
    const readiness = createReadiness({ org, requireSigningKey: () => undefined, elapsed: () => 0 })
    await readiness.check()
    altered(`UPDATE content SET json = replace(json, '"amount":"1.00"', '"amount":"8.00"')`)
    readiness.suspectDamage()
    await readiness.check()
    altered(nine)
    await readiness.check()
    readiness.suspectDamage()
    await expect(readiness.check()).rejects.toEqual(damaged('config_entry/fee.a'))
    await org.close()
  })

  it.each([
    [
      'a set whose digest is not that of its entries',
      `UPDATE set_fact SET digest = digest || 'x'`,
      'config_set/fee',
    ],
    [
      'an entry whose content is gone',
      `DELETE FROM content WHERE digest = (SELECT digest FROM placement WHERE key = 'fee.a' AND from_gen = 4)`,
      'config_entry/fee.a',
    ],
  ])('is refused for %s', async (_, sql, id) => {
    const db = new Database(orgFile(dir))
    db.pragma('foreign_keys = OFF')
    db.exec(sql)
    db.close()
    const org = openOrg(dir)
    await expect(
      createReadiness({ org, requireSigningKey: () => undefined, elapsed: () => 0 }).check(),
    ).rejects.toEqual(damaged(id))
    await org.close()
  })

  it('is refused by a server, whichever thread met the row', async () => {
    const server = await runningServer()
    try {
      const components = [feeSet(), fee('a', '3')]
      expect((await server.studio('POST', '/metadata/v3/apply', { components })).status).toBe(200)
      expect((await server.plain('GET', '/readyz')).status).toBe(200)
      const db = new Database(orgFile(server.dir))
      expect(db.prepare(nine).run().changes).toBe(1)
      db.close()
      const asking = await server.studio('POST', '/metadata/v3/plan', { components: [fee('a', '4')] })
      expect([asking.status, asking.body['code']]).toEqual([500, 'storage.damaged'])
      const ready = await server.plain('GET', '/readyz')
      expect([ready.status, ready.body['code']]).toEqual([500, 'storage.damaged'])
      expect(ready.text).toContain('config_entry/fee.a')
    } finally {
      await server.close()
    }
  })
})
