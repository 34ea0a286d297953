// While a user sends large batches one after the other, changed objects can be applied: by the same server and by a command
// in another process, although each needs the lock of the records.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { orgFile } from '../../server/compose/org-folder.ts'
import { markOf } from '../../server/storage/sqlite/records/lock-turns.ts'
import { recordsFile } from '../../server/storage/sqlite/records/records-file.ts'
import { bundled } from '../support/bundled.mjs'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { lockRecords } from '../support/locked-records.ts'
import { runningServer, type TestServer } from '../support/running-server.ts'

let test: TestServer
let runs = true
let batches: Promise<number[]>
const senders = ['B-1', 'B-2', 'B-3']
/** Batches that were saved. */
let saved = 0
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
    const records = Array.from({ length: 50 }, () => line)
    let sent = 0
    for (; runs; sent += 1) {
      const { status, text } = await ada!('POST', '/data/v3/batch', { records })
      if (status !== 200) throw new Error(text)
      saved += 1
    }
    return sent
  }
  batches = Promise.all(senders.map(sendBatches))
  batches.catch(() => undefined)
  await wait(500)
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

it('a writer that waits has the lock after the batches that are under way, however rarely it tries', async () => {
  const file = recordsFile(orgFile(test.dir))
  const db = new Database(file, { timeout: 0 })
  const mark = markOf(db)!
  const hasLock = (): boolean => {
    writeFileSync(mark, '')
    try {
      db.exec('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
      return false
    }
  }
  const passed: number[] = []
  try {
    for (let round = 0; round < 6; round += 1) {
      const before = saved
      // Less often than writers do, and within the time for which others leave it the lock.
      while (!hasLock()) await wait(300)
      passed.push(saved - before)
      db.exec('ROLLBACK')
      rmSync(mark, { force: true })
      await expect.poll(() => saved, { timeout: 20_000 }).toBeGreaterThan(before + senders.length)
    }
  } finally {
    db.close()
  }
  // Each sender can have one batch that was saved or had begun. Without turns, the next ones pass, too.
  expect(Math.max(...passed)).toBeLessThanOrEqual(senders.length)
})

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
