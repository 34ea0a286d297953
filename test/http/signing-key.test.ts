// An org whose signing key is gone: nothing is signed with a new key, which nobody could compare with the old one.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOf } from '../../server/compose/engines.ts'
import { initOrg, openOrg } from '../../server/compose/open-org.ts'
import { keyFile } from '../../server/compose/org-folder.ts'
import { effectiveAccess } from '../../server/access/index.ts'
import { runningServer } from '../support/running-server.ts'

let folder: string
let dir: string
const damaged = { code: 'storage.damaged' }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-signing-key-'))
  dir = join(folder, 'org')
  await initOrg(dir, { name: 'Key', environment: 'test' }).close()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('an org', () => {
  it('without its signing key is not served, and gets no new key', async () => {
    rmSync(keyFile(dir))
    await expect(runningServer({ org: dir }, folder)).rejects.toMatchObject(damaged)
    expect(existsSync(keyFile(dir))).toBe(false)
  })

  it('with a different signing key is not served', async () => {
    const other = `${'ab'.repeat(32)}\n`
    writeFileSync(keyFile(dir), other)
    await expect(runningServer({ org: dir }, folder)).rejects.toMatchObject(damaged)
    expect(readFileSync(keyFile(dir), 'utf8')).toBe(other)
  })

  it('whose signing key is removed while it is open signs no evidence', async () => {
    const org = openOrg(dir)
    try {
      const { evaluation } = enginesOf(org)
      const access = org.store.read((reader) => effectiveAccess(reader, 'admin', org.pin().view))
      const by = { actor: 'admin', correlationId: 'c', access } as never
      const stored = await evaluation.evaluate(by, {
        ...{ expression: '1 + 1', asOf: '2022-01-01', store: 'Kept' },
      })
      const id = stored.resultId!
      rmSync(keyFile(dir))
      await expect(evaluation.evidence(by, id)).rejects.toMatchObject(damaged)
      expect(existsSync(keyFile(dir))).toBe(false)
    } finally {
      await org.close()
    }
  })
})
