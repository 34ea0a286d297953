// An org from before identities were stored gets the identities that follow from its history.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { initOrg } from '../../../compose/open-org.ts'
import { identities } from './008-identities.ts'

const fn = (key: string, value: number) => ({
  type: 'calc_function',
  key,
  label: key,
  body: { params: [], returns: 'number', expression: String(value) },
})

it('derives identities from the renames in the audit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-identities-'))
  try {
    const org = initOrg(folder, { name: 'T', environment: 'dev' })
    const apply = (components: object[], ...removals: string[]) =>
      org.apply({ source: { kind: 'components', components, removals: removals as never[] }, actor: 'admin' })
    await apply([fn('a', 1), fn('b', 2)])
    await apply([
      { ...fn('a', 2), renamedFrom: 'b' },
      { ...fn('b', 1), renamedFrom: 'a' },
    ])
    await apply([fn('b', 10)])
    await apply([{ ...fn('c', 10), renamedFrom: 'b' }])
    await apply([fn('b', 3)])
    await apply([], 'calc_function/b')
    await apply([fn('b', 4), { ...fn('d', 10), renamedFrom: 'c' }])
    await org.close()
    const db = new Database(join(folder, 'org.sqlite'))
    const births = () => db.prepare('SELECT * FROM placement ORDER BY type, key, from_gen').all()
    const before = births()
    expect(new Set(before.map((row) => (row as { birth_key: unknown }).birth_key))).toEqual(
      new Set([null, 'a', 'b']),
    )
    db.exec(`DROP INDEX placement_by_birth;
      ALTER TABLE placement DROP COLUMN birth_gen; ALTER TABLE placement DROP COLUMN birth_key`)
    identities(db)
    expect(births()).toEqual(before)
    db.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
