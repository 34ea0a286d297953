// The impact of a changed rate on a million stored values, over HTTP, while a clerk reads records of the same server.
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { enginesOf } from '../../../server/compose/engines.ts'
import { initOrg, type OpenedOrg } from '../../../server/compose/open-org.ts'
import { orgFile } from '../../../server/compose/org-folder.ts'
import { recordsFile } from '../../../server/storage/sqlite/records/records-file.ts'
import type { ObjectId } from '../../../server/kernel/records/index.ts'
import { openRecordStore } from '../../../server/storage/sqlite/index.ts'
import { startBystander } from '../support/bystander.ts'
import { roundsOf } from '../support/compare.ts'
import { invoiceComponents, rateEntry } from '../support/invoice-org.ts'
import { duration, times, type Line, type Part, type PartContext } from '../support/part.ts'
import { serve, type Served } from '../support/served.ts'

const count = roundsOf(7) === 1 ? 20_000 : 1_000_000
const most = { impactMs: 20_000, waitMs: 10 }

/** Milliseconds between two reads. */
const every = 5

interface Tokens {
  admin: string
  clerk: string
}

export const impactPart: Part = {
  name: 'impact',
  title: 'Impact on records',
  async run(context) {
    const folder = join(context.folder, 'org')
    const { tokens, id } = await newOrg(context, folder)
    const served = await serve('almanac-server', folder)
    try {
      context.say('reads alone')
      const alone = readUntilStopped(served, tokens.clerk, id)
      await setTimeout(3000)
      const before = await alone.stop()
      context.say('the impact')
      const reading = readUntilStopped(served, tokens.clerk, id)
      const started = performance.now()
      const changed = await impactOf(served, tokens.admin)
      const ms = performance.now() - started
      const { waits, beside } = await reading.stop()
      if (changed !== count) throw new Error(`${changed} of ${count} values differ.`)
      return { lines: linesOf(ms, waits, before.waits.slice(before.waits.length / 2), beside), notes }
    } finally {
      await served.stop()
    }
  },
}

const notes = [
  'The stored tax of each of a million invoices is computed over the active generation and over the changed rate. The request is repeated until every record was compared, each part in a worker of the server; all values differ, and are counted exactly.',
  'A clerk reads one record every 5 ms over a connection of its own, whether or not earlier reads are finished; a read waits from when it was due. The bystander is a process that only wakes at the same pace: its delay is that of the machine, whose two cores are busy.',
  'What the impact holds up is the difference between the waits (p99) with it and without it: on this machine, reads also wait when nothing else runs.',
]

async function newOrg({ say }: PartContext, folder: string): Promise<{ tokens: Tokens; id: string }> {
  const org = initOrg(folder, { name: 'Bench', environment: 'dev' })
  try {
    const apply = (components: readonly object[]): Promise<unknown> =>
      org.apply({ source: { kind: 'components', components }, actor: 'admin', rationale: 'Measured.' })
    await apply(invoiceComponents)
    const by = { actor: 'admin', correlationId: 'c', isOperator: true }
    const { access } = enginesOf(org)
    await access.addUser(by, { key: 'clerk', name: 'Clerk', permissionSets: ['clerk'] })
    await apply([clientOf('reader', 'clerk'), clientOf('author', 'admin')])
    const tokens = {
      clerk: (await access.issueToken(by, 'reader')).token,
      admin: (await access.issueToken(by, 'author')).token,
    }
    const id = await saveOne(org)
    say(`${count.toLocaleString('en')} invoices`)
    await copyRecord(folder, id)
    return { tokens, id }
  } finally {
    await org.close()
  }
}

/** Its limits are above what is sent. */
const clientOf = (key: string, runAs: string): object => ({
  ...{ type: 'integration_client', key, label: key },
  body: {
    ...{ authScheme: 'oauth2_client_credentials', runAs },
    rateLimit: { sustained: 100_000, burst: 100_000, concurrency: 1000 },
  },
})

async function saveOne(org: OpenedOrg): Promise<string> {
  const fields = { number: 'I-0', country: 'DE', tax_point: '2022-01-01', net: '100' }
  const { reply } = await org.records.save({
    ...{ generation: org.activeGeneration(), user: 'clerk', correlationId: 'c', scopePath: {} },
    ...{ items: [{ op: 'insert', object: 'invoice', fields }], allOrNone: true, reply: 'ids' },
  })
  const [result] = reply.results
  if (!result!.ok) throw new Error(result!.error.message)
  return result!.id
}

function objectOf(folder: string, id: string): ObjectId {
  const db = new Database(recordsFile(orgFile(folder)), { readonly: true })
  const object = db.prepare('SELECT object FROM record_change WHERE record = ?').pluck().get(id)
  db.close()
  return object as ObjectId
}

/** Copies of a saved record until there are as many as are measured. */
async function copyRecord(folder: string, id: string): Promise<void> {
  const store = openRecordStore(orgFile(folder))
  try {
    const record = await store.read(async (reader) => {
      const object = objectOf(folder, id)
      return (await reader.get(object, [id]))[0]!
    })
    for (let at = 1; at < count;)
      await store.write(async (tx) => {
        for (let row = 0; row < 20_000 && at < count; row += 1, at += 1)
          await tx.insert({ ...record, id: `00000000-0000-7000-8000-${String(at).padStart(12, '0')}` })
      })
  } finally {
    await store.close()
  }
}

interface Impact {
  fields: { changed: number }[]
  next: string | null
}

/** Returns how many values would change. */
async function impactOf(served: Served, token: string): Promise<number> {
  let changed = 0
  for (let after: string | null | undefined; after !== null;) {
    const response = await fetch(`${served.url}/metadata/v3/impact/records`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ components: [rateEntry('0.2500')], ...(after != null && { after }) }),
    })
    if (response.status !== 200) throw new Error(await response.text())
    const { fields, next } = (await response.json()) as Impact
    changed += fields.reduce((sum, field) => sum + field.changed, 0)
    after = next
  }
  return changed
}

function readUntilStopped(
  served: Served,
  token: string,
  id: string,
): { stop(): Promise<{ waits: number[]; beside: number }> } {
  const bystander = startBystander(every)
  const waits: number[] = []
  const pending = new Set<Promise<void>>()
  let isOver = false
  const read = async (due: number): Promise<void> => {
    const response = await fetch(`${served.url}/data/v3/invoice/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(text)
    waits.push(performance.now() - due)
  }
  const arrivals = (async () => {
    for (let due = performance.now(); !isOver; due += every) {
      const early = due - performance.now()
      if (early > 0) await setTimeout(early)
      const each = read(due).finally(() => pending.delete(each))
      pending.add(each)
    }
    await Promise.all(pending)
  })()
  return {
    stop: async () => {
      isOver = true
      await arrivals
      return { waits, beside: await (await bystander).stop() }
    },
  }
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!

function linesOf(ms: number, sorted: readonly number[], alone: readonly number[], beside: number): Line[] {
  const at = (share: number): number => percentile(sorted, share)
  const work = `${count.toLocaleString('en')} stored values`
  const heldUp = Math.max(0, at(0.99) - percentile(alone, 0.99))
  const reads = `${sorted.length.toLocaleString('en')} reads in the meantime`
  return [
    {
      ...{ what: 'impact', work, ours: duration(ms), against: '', ratio: '' },
      ...{ aim: '≤ 20 s', met: ms <= most.impactMs },
    },
    {
      ...{ what: 'a reader waits (p99)', work: reads, ours: duration(at(0.99)) },
      ...{
        against: `without the impact ${duration(percentile(alone, 0.99))}; a bystander’s worst ${duration(beside)}`,
        ratio: times(at(0.99) / beside),
      },
      ...{ aim: '≤ 10 ms', met: at(0.99) <= most.waitMs },
    },
    {
      ...{ what: 'the impact holds up a reader (p99)', work: reads, ours: duration(heldUp) },
      ...{ against: '', ratio: '', aim: '≤ 10 ms', met: heldUp <= most.waitMs },
    },
    {
      ...{ what: 'a reader waits (worst)', work: reads, ours: duration(at(1)) },
      ...{ against: `a bystander’s worst ${duration(beside)}`, ratio: times(at(1) / beside) },
      ...{ aim: '', met: null },
    },
  ]
}
