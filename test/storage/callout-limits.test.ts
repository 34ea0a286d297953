// The limits of callouts in the file of an org: the contract, over two connections and over two processes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { limitsOf } from '../../server/compose/open-callouts.ts'
import { initOrg, openOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { bundled } from '../support/bundled.mjs'
import { calloutLimitsContract } from '../support/callout-limits-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'almanac-limits-'))
const opened: OpenedOrg[] = []
let made = 0

async function newOrg(): Promise<string> {
  const dir = join(folder, `${(made += 1)}`)
  await initOrg(dir, { name: 'Limits', environment: 'test' }).close()
  return dir
}

function open(dir: string): OpenedOrg {
  const org = openOrg(dir)
  opened.push(org)
  return org
}

afterEach(async () => {
  for (const org of opened.splice(0)) await org.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

calloutLimitsContract('the file of an org', async () => {
  const dir = await newOrg()
  return [limitsOf(open(dir)), limitsOf(open(dir))]
})

describe('two processes that change one limit at the same time', () => {
  it('lose no change', async () => {
    const dir = await newOrg()
    const times = 200
    const child = async (): Promise<number> => {
      const started = spawn(process.execPath, [bundled('vitest', 'count-limit'), dir, String(times)], {
        stdio: 'inherit',
      })
      const [code] = (await once(started, 'close')) as [number]
      return code
    }
    expect(await Promise.all([child(), child()])).toEqual([0, 0])
    const { text, version } = await limitsOf(open(dir)).read({ kind: 'budget', credential: 'billing' })
    expect([text, version]).toEqual([String(2 * times), 2 * times])
  })
})
