// Other users of the machine cannot read an org: folder 0700, files 0600, from their creation on.
import fs, { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOf } from '../../server/compose/engines.ts'
import { initOrg, openOrg } from '../../server/compose/open-org.ts'
import { exposedFiles } from '../../server/system/index.ts'
import { fee, feeSet } from '../support/fees.ts'

const forOthers = 0o077
let folder: string
let mask: number
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-private-'))
  // The umask of most machines.
  mask = process.umask(0o022)
})
afterEach(() => {
  process.umask(mask)
  rmSync(folder, { recursive: true, force: true })
})

/** Every path below `dir` that others can read or change, and how many were checked. */
function open(dir: string): { exposed: string[]; seen: number } {
  const paths = [
    dir,
    ...readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name)),
  ]
  return { exposed: paths.filter((path) => (statSync(path).mode & forOthers) !== 0), seen: paths.length }
}

// Windows has no mode bits.
describe.skipIf(process.platform === 'win32')('the files of an org', () => {
  it('are private from their creation, during use, with secrets and while another process writes', async () => {
    const dir = join(folder, 'org')
    const org = initOrg(dir, { name: 'Private', environment: 'test' })
    const engines = enginesOf(org)
    await org.apply({ source: { kind: 'components', components: [feeSet(), fee('a', '1')] }, actor: 'admin' })
    await engines.access.addUser(
      { actor: 'admin', correlationId: 'c', isOperator: true },
      {
        key: 'mara',
        name: 'Mara',
      },
    )
    await org.write((transactor) => {
      transactor.settings.put('a', 1)
      expect(readdirSync(dir)).toContain('org.sqlite.writer')
      expect(open(dir).exposed).toEqual([])
    })
    const { exposed, seen } = open(dir)
    expect(exposed).toEqual([])
    expect(seen).toBeGreaterThanOrEqual(5)
    expect(process.umask()).toBe(0o022)
    await org.close()
  })

  it.each([0o022, 0o000])(
    'are never open, even for a moment: no mode is changed after the creation (umask %o)',
    async (mask) => {
      process.umask(mask)
      const { chmodSync: chmod, fchmodSync: fchmod } = fs
      Object.assign(fs, { chmodSync: () => undefined, fchmodSync: () => undefined })
      syncBuiltinESMExports()
      try {
        const dir = join(folder, 'org')
        const org = initOrg(dir, { name: 'Private', environment: 'test' })
        const { access } = enginesOf(org)
        const by = { actor: 'admin', correlationId: 'c', isOperator: true }
        await org.apply({
          source: { kind: 'components', components: [feeSet(), fee('a', '1')] },
          actor: 'admin',
        })
        await access.addUser(by, { key: 'mara', name: 'Mara' })
        await org.write((transactor) => {
          transactor.settings.put('a', 1)
          expect(open(dir).exposed).toEqual([])
        })
        expect(open(dir)).toMatchObject({ exposed: [] })
        expect(readdirSync(dir)).toEqual(
          expect.arrayContaining(['org.sqlite', 'org.sqlite-wal', 'org.sqlite-shm']),
        )
        await org.close()
        const again = openOrg(dir, { worker: true })
        await again.plan({ source: { kind: 'components', components: [fee('a', '2')] }, actor: 'admin' })
        expect(open(dir).exposed).toEqual([])
        await again.close()
      } finally {
        Object.assign(fs, { chmodSync: chmod, fchmodSync: fchmod })
        syncBuiltinESMExports()
      }
    },
  )

  it('are made private again when the org is opened', async () => {
    const dir = join(folder, 'org')
    await initOrg(dir, { name: 'Private', environment: 'test' }).close()
    mkdirSync(join(dir, 'secrets'), { mode: 0o755 })
    writeFileSync(join(dir, 'secrets', 'a.secret'), 's', { mode: 0o644 })
    for (const path of [dir, join(dir, 'org.sqlite'), join(dir, 'signing.key')]) chmodSync(path, 0o755)
    expect(exposedFiles(dir).map(({ path }) => path)).toHaveLength(5)
    const org = openOrg(dir)
    await org.write((transactor) => transactor.settings.put('a', 1))
    expect(open(dir).exposed).toEqual([])
    await org.close()
  })

  it('in a project folder, leave the modes of the folder and its other files unchanged', async () => {
    chmodSync(folder, 0o755)
    writeFileSync(join(folder, 'README.md'), '', { mode: 0o644 })
    await initOrg(folder, { name: 'Private', environment: 'test' }).close()
    await openOrg(folder).close()
    expect(open(folder).exposed).toEqual([folder, join(folder, 'README.md')])
  })
})
