// Creating an org is killed at several moments: the folder contains no org or a complete one, and the next attempt
// succeeds.
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openOrg } from '../../server/compose/open-org.ts'
import { keyFile, orgFile } from '../../server/compose/org-folder.ts'
import { checkFolder } from '../../server/compose/check.ts'
import { bundled } from '../support/bundled.mjs'

/** When it is killed first and last, as parts of the time that it takes, and how often. */
const [first, last] = [0.4, 0.95]
const kills = Number(process.env['ALMANAC_KILLS'] ?? 3)

const cli = bundled('vitest', 'cli')
const folder = mkdtempSync(join(tmpdir(), 'almanac-killed-init-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function init(args: readonly string[], delay: number): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [cli, 'init', ...args], { stdio: 'ignore' })
    const timer = setTimeout(() => child.kill('SIGKILL'), delay)
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve(code)
    })
  })
}

async function generationsIn(dir: string): Promise<number> {
  const org = openOrg(dir)
  const active = org.activeGeneration()
  await org.close()
  return active
}

describe.each([
  ['an org', [], 1],
  ['the sample', ['--sample'], 3],
] as const)('making %s', (_, options, generations) => {
  it('succeeds, regardless of how often it was killed before', async () => {
    const started = performance.now()
    expect(await init([join(folder, `${generations}-whole`), ...options], 60_000)).toBe(0)
    const took = performance.now() - started
    for (let kill = 0; kill < kills; kill += 1) {
      const dir = join(folder, `${generations}-${kill}`)
      await init([dir, ...options], took * (first + ((last - first) * kill) / (kills - 1)))
      if (!existsSync(orgFile(dir))) expect(await init([dir, ...options], 60_000)).toBe(0)
      expect(await generationsIn(dir)).toBe(generations)
      expect(checkFolder(dir)).toMatchObject({ ok: true, findings: [] })
    }
  })
})

it('a sample keeps the signing key of its folder', () => {
  const [dir, other] = [join(folder, 'key'), join(folder, 'other')]
  expect(spawnSync(process.execPath, [cli, 'init', other]).status).toBe(0)
  mkdirSync(dir)
  copyFileSync(keyFile(other), keyFile(dir))
  expect(spawnSync(process.execPath, [cli, 'init', dir, '--sample']).status).toBe(0)
  expect(readFileSync(keyFile(dir))).toEqual(readFileSync(keyFile(other)))
  expect(checkFolder(dir)).toMatchObject({ ok: true, findings: [] })
})
