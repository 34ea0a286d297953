// Each verb that writes is killed at several instants: the org is whole, and the next verb works.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initOrg, openOrg, orgFile } from '../../server/compose.ts'
import { checkFolder } from '../../server/compose-check.ts'
import { verbs } from '../../server/cli/verbs.ts'
import { fee, feeSet } from '../support/fees.ts'
import { readerClient, readers } from '../support/small-org.ts'
import { pathOf } from '../../server/pipeline/directory-layout.ts'

const bin = join(import.meta.dirname, '../../server/bin.mjs')
const folder = mkdtempSync(join(tmpdir(), 'almanac-killed-'))
const dir = join(folder, 'org')
const list = join(folder, 'list')
const table = join(folder, 'fees.csv')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function writeList(amount: string): void {
  for (const component of [feeSet(), fee('a', amount)] as { type: 'config_set'; key: string }[]) {
    const path = join(list, pathOf(component.type, component.key))
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, JSON.stringify(component))
  }
}

beforeAll(async () => {
  const org = initOrg(dir, { name: 'Killed', environment: 'test' })
  const components = [feeSet(), fee('a', '1'), readers, readerClient]
  await org.write((transactor) =>
    transactor.putUser({
      ...{ key: 'rea', name: 'Rea', active: true, locale: null, passwordHash: null },
      ...{ groups: [], permissionSets: [] },
    }),
  )
  await org.apply({ source: { kind: 'components', components }, actor: 'admin' })
  await org.close()
  writeFileSync(table, 'name,amount\nx,5\ny,6\n')
})

/** What each verb that writes to an org is called with. */
const writing: Readonly<Record<string, (round: number) => string[]>> = {
  apply: () => [list],
  rollback: () => ['2'],
  import: () => ['fee', table, '--map', '{"key":"name","values":{"amount":"amount"}}', '--apply'],
  request: (round) => [list, '--title', `Round ${round}`, '--rationale', `round ${round}`],
  'user add': (round) => [`user${round}`],
  'user set': () => ['rea', '--name', 'Rea again'],
  token: () => ['--client', 'reader'],
  'client secret': () => ['reader'],
  approvals: (round) => [String(round % 2)],
  budget: (round) => [`${64 + round}MiB`],
  evaluate: () => ['1 + 1', '--store', 'sum'],
  purge: () => ['--before', '3'],
}

const rounds = 3

/** Runs a verb and kills it after `delay` milliseconds. Returns its exit code; null if it was killed. */
function killed(args: readonly string[], delay: number): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bin, ...args, '--org', dir], { stdio: 'ignore' })
    const timer = setTimeout(() => child.kill('SIGKILL'), delay)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve(code)
    })
  })
}

function writesWhole(): void {
  const { ok, findings } = checkFolder(dir)
  expect({ ok, findings }).toEqual({ ok: true, findings: [] })
}

describe('a verb that is killed', () => {
  it.each(Object.keys(writing))('leaves the org whole: %s', async (name) => {
    expect(verbs.some((verb) => verb.name === name)).toBe(true)
    for (let round = 0; round < rounds; round += 1) {
      writeList(String(2 + round))
      const args = [...name.split(' '), ...writing[name]!(round)]
      // Once undisturbed, which shows that it is called as it should be; then killed on its way.
      if (round === 0) expect(await killed(args, 60_000)).toBe(0)
      else await killed(args, 100 + Math.random() * 900)
      writesWhole()
    }
    const org = openOrg(dir)
    await org.write((transactor) => transactor.putSetting('after', name))
    await org.close()
  })

  it('would be noticed if it wrote in parts', () => {
    const db = new Database(orgFile(dir))
    // The first half of an apply, without its second.
    db.pragma('foreign_keys = OFF')
    db.exec(`INSERT INTO audit (generation, component, kind) VALUES (NULL, 'config_entry/fee.a', 'changed')`)
    db.close()
    expect(checkFolder(dir).ok).toBe(false)
  })
})
