// SIGKILL while records are saved: what was acknowledged is there, and rows, roll-ups, readers, bindings,
// history and outbox agree.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { StoredRecord } from '../../server/ports/record-store.ts'
import { recordDeps } from './record-deps.ts'
import { bundled } from '../support/bundled.mjs'
import { allChanges } from '../support/record-changes.ts'
import { publishedEvents } from '../support/published-events.ts'

const kills = Number(process.env['ALMANAC_KILLS'] ?? 10)
const folder = mkdtempSync(join(tmpdir(), 'almanac-saves-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns what was acknowledged before the process was killed. */
function saveAndKill(org: string, afterMs: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bundled('vitest', 'save-child'), org])
    let output = ''
    let errors = ''
    let timer: NodeJS.Timeout | undefined
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString()
      if (output.includes('ready')) timer ??= setTimeout(() => child.kill('SIGKILL'), afterMs)
    })
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()))
    child.on('close', (_code, signal) => {
      if (signal !== 'SIGKILL') return reject(new Error(errors))
      // The last line may have been cut off.
      resolve(output.split('\n').slice(0, -1))
    })
  })
}

interface Row {
  record: StoredRecord
  value(key: string): FieldValue
}

async function readAll(
  org: string,
): Promise<Record<'customer' | 'invoice' | 'line', Row[]> & { faults: string[] }> {
  const deps = recordDeps(org, () => '')
  const { names } = deps.snapshots.active()
  try {
    const events = await publishedEvents(deps.store)
    return await deps.store.read(async (reader) => {
      const faults: string[] = []
      const effects = (await reader.effects(0, 1_000_000)).map(
        ({ automation, record, version }) => `${automation} ${record} ${version}`,
      )
      let announced = 0
      const due: string[] = []
      const all = async (object: string): Promise<Row[]> => {
        const ids = names.fieldIds(object)
        const records = await reader.page(names.objectId(object)!, null, 1_000_000)
        for (const record of records) {
          const history = await allChanges(reader, record.object, record.id)
          const versions = history.map(({ version }) => version)
          if (versions.length !== record.version || versions.some((version, at) => version !== at + 1))
            faults.push(`${object} ${record.id} has version ${record.version} and history ${versions.join()}`)
          if (object === 'line') announced += versions.length
          if (object === 'invoice') due.push(`send invoice/${record.id} 1`)
        }
        return records.map((record) => ({
          record,
          value: (key) => record.values.get(ids.get(key)!) ?? null,
        }))
      }
      const [customer, invoice, line] = [await all('customer'), await all('invoice'), await all('line')]
      const [left, expected] = [effects.toSorted().join('\n'), due.toSorted().join('\n')]
      if (left !== expected) faults.push(`The outbox has\n${left}\ninstead of\n${expected}`)
      if (events.length !== announced)
        faults.push(`There are ${events.length} events for ${announced} writes of lines`)
      return { customer, invoice, line, faults }
    })
  } finally {
    await deps.store.close()
  }
}

it(`${kills} times, nothing is lost or half-written`, async () => {
  const acknowledged = new Map<string, number>()
  for (let round = 0; round < kills; round += 1) {
    for (const line of await saveAndKill(folder, Math.random() * 300)) {
      const [object, id, version] = line.split(' ')
      if (id !== undefined) acknowledged.set(`${object} ${id}`, Number(version))
    }
    const { customer, invoice, line, faults } = await readAll(folder)
    expect(faults).toEqual([])
    const versions = new Map(
      Object.entries({ customer, invoice, line }).flatMap(([object, rows]) =>
        rows.map(({ record }) => [`${object} ${record.id}`, record.version]),
      ),
    )
    for (const [place, version] of acknowledged) expect(versions.get(place)).toBeGreaterThanOrEqual(version)
    const names = new Map(customer.map(({ record, value }) => [record.id, value('name')]))
    for (const each of invoice) {
      const children = line.filter(({ value }) => value('invoice') === each.record.id)
      const weight = children.reduce((sum, { value }) => sum + Number(value('weight')), 0)
      expect(each.value('lines')).toBe(String(children.length))
      expect(Number(each.value('weight'))).toBe(weight)
      expect(each.value('buyer')).toBe(`${names.get(String(each.value('customer')))} (DE)`)
      expect(Number(each.value('total'))).toBeCloseTo(Number(each.value('net')) * 1.19, 1)
      expect(each.record.bindings.size).toBe(5)
    }
  }
  expect(acknowledged.size).toBeGreaterThan(kills)
})
