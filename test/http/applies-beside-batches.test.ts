// While a user sends large batches one after the other, changed objects can be applied: by the same server and by a command
// in another process, although each needs the lock of the records.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundled } from '../support/bundled.mjs'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { lockRecords } from '../support/locked-records.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

let test: TestServer
let runs = true
let batches: Promise<number[]>
const folder = mkdtempSync(join(tmpdir(), 'almanac-beside-'))

beforeAll(async () => {
  test = await runningServer()
  await apply(test.studio, [...billingComponents(), clerk()])
  const { ada } = await signIn(test, [{ key: 'ada', permissionSets: ['clerk'] }])
  const sendBatches = async (number: string): Promise<number> => {
    const fields = { number, tax_point: '2022-01-01', net: '100' }
    const { body: invoice } = await ada!<{ id: string }>('POST', '/data/v3/invoice', fields)
    // The invoice is written with each of its lines.
    const line = { op: 'insert', object: 'line', fields: { invoice: invoice.id, weight: '1' } }
    const records = Array.from({ length: 200 }, () => line)
    let sent = 0
    for (; runs; sent += 1) {
      const { status, text } = await ada!('POST', '/data/v3/batch', { records })
      if (status !== 200) throw new Error(text)
    }
    return sent
  }
  batches = Promise.all(['B-1', 'B-2', 'B-3'].map(sendBatches))
  batches.catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 500))
})
afterAll(async () => {
  runs = false
  await batches.catch(() => undefined)
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The object of the batches with one more field. */
function changed(key: string): object {
  const line = billingComponents().find((each) => 'key' in each && each.key === 'line') as {
    body: { fields: object[] }
  }
  const field = {
    key,
    type: 'number',
    precision: 12,
    scale: 0,
    formula: { expression: 'weight', stored: false },
  }
  return { ...line, body: { ...line.body, fields: [...line.body.fields, field] } }
}

async function applyInProcess(component: object): Promise<void> {
  mkdirSync(join(folder, 'object'), { recursive: true })
  writeFileSync(join(folder, 'object', 'line.json'), JSON.stringify(component))
  const args = [bundled('vitest', 'cli'), 'apply', folder, '--org', test.dir, '--json']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(errors)
}

it.each([
  ['the same server', (component: object) => apply(test.studio, [component])],
  ['another process', applyInProcess],
])('an apply of %s gets the lock before it is refused', async (_where, run) => {
  for (const key of ['one', 'two']) await run(changed(key))
})

it('and all batches are saved', async () => {
  runs = false

  for (const sent of await batches) expect(sent).toBeGreaterThan(0)
})

it('applies that cannot get the lock are refused as ones that can be repeated', async () => {
  const release = await lockRecords(test.dir)
  try {
    const sent = { components: [changed('three')], rationale: 'test' }
    const [served, process] = await Promise.all([
      test.studio('POST', '/metadata/v3/apply', sent),
      applyInProcess(changed('four')).catch(({ message }: Error) => message),
    ])
    expect([served.status, served.body['code'], served.headers.get('retry-after')]).toEqual([
      409,
      'org.busy',
      '1',
    ])
    expect(process).toContain('org.busy')
    expect(process).not.toMatch(/^ +at /m)
  } finally {
    await release()
  }
})
