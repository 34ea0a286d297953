// SIGKILL while the rows of bulk jobs are saved: each row is applied once, has one outcome, and the jobs end.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOf } from '../../server/compose/engines.ts'
import { checkFolder } from '../../server/compose/check.ts'
import { initOrg, openOrg } from '../../server/compose/open-org.ts'
import type { IngestCaller } from '../../server/bulk/index.ts'
import type { IngestJob } from '../../server/ports/ingest.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import { openRecordStore } from '../../server/storage/sqlite/index.ts'
import { bundled } from '../support/bundled.mjs'
import { contactComponents } from '../support/ingest-requests.ts'

const kills = Number(process.env['ALMANAC_KILLS'] ?? 4)
const rows = 200 * 4 * (kills + 4)

let folder: string
let dir: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-ingest-kills-'))
  dir = join(folder, 'org')
  const org = initOrg(dir, { name: 'Rows', environment: 'test' })
  const by = { actor: 'admin', correlationId: 'c', isOperator: true }
  await org.apply({ source: { kind: 'components', components: contactComponents() }, actor: 'admin' })
  await enginesOf(org).access.addUser(by, { key: 'ada', name: 'Ada', permissionSets: ['loader'] })
  await org.close()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}

/** Queues a job; every tenth row is refused by a rule. */
async function queue(prefix: string): Promise<string> {
  const org = openOrg(dir)
  const { ingests } = enginesOf(org)
  const by: IngestCaller = {
    ...{ user: 'ada', client: null, isOperator: false, generation: org.activeGeneration() },
    ...{ scopePath: {}, correlationId: 'c' },
  }
  const { id } = await ingests.create(by, { object: 'contact', operation: 'insert', format: 'csv' })
  const lines = Array.from(
    { length: rows },
    (_, at) => `${prefix}_${at},"two\nlines",${at % 10 === 9 ? -1 : at}`,
  )
  const text = `code,note,amount\n${lines.join('\n')}\n`
  const half = Math.floor(text.length / 2)
  for (const [at, part] of [text.slice(0, half), text.slice(half)].entries())
    await ingests.putPart(by, id, { number: at + 1, bytes: bytesOf(part), verify: () => undefined })
  await ingests.close(by, id, 2)
  await org.close()
  return id
}

interface Processing {
  child: ChildProcess
  errors: string[]
  /** Resolves after a number of batches. */
  after(batches: number): Promise<void>
}

function processing(): Processing {
  const child = spawn(process.execPath, [bundled('vitest', 'ingest-child'), dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const errors: string[] = []
  let [done, rest] = [0, '']
  let reached = (): void => undefined
  child.stdout!.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop()!
    errors.push(...lines.filter((line) => line.startsWith('error')))
    done += lines.filter((line) => line === 'batch').length
    reached()
  })
  return {
    ...{ child, errors },
    after: (batches) =>
      new Promise((resolve) => {
        reached = () => void (done >= batches && resolve())
        reached()
      }),
  }
}

interface Ended {
  job: IngestJob
  /** By the number of their row. */
  outcomes: [line: number, bytes: number, ended: string, id: string][]
}

async function read(ids: readonly string[]): Promise<{ jobs: Ended[]; codes: Map<string, string> }> {
  const org = openOrg(dir)
  try {
    return await org.records.store().read(async (reader) => {
      const { names } = org.records.snapshots.active()
      const code = names.fieldIds('contact').get('code')!
      const stored = await reader.page(names.objectId('contact')!, null, 1_000_000)
      const jobs = await Promise.all(
        ids.map(async (id): Promise<Ended> => {
          const batches = await reader.ingestBatches(id, { after: 0, limit: 1_000_000, isFailed: false })
          const outcomes = batches.flatMap((batch) => batch.outcomes) as Ended['outcomes']
          return { job: (await reader.ingest(id))!, outcomes }
        }),
      )
      return { jobs, codes: new Map(stored.map(({ id, values }) => [id, String(values.get(code))])) }
    })
  } finally {
    await org.close()
  }
}

async function statesOf(ids: readonly string[]): Promise<IngestJob['state'][]> {
  const store = openRecordStore(orgFile(dir))
  try {
    return await store.read((reader) => Promise.all(ids.map(async (id) => (await reader.ingest(id))!.state)))
  } finally {
    await store.close()
  }
}

describe('the processing of bulk jobs', () => {
  it(`is killed ${kills} times, and applies each row once`, async () => {
    const ids = [await queue('a'), await queue('b')]
    for (let kill = 0; kill < kills; kill += 1) {
      const { child, after } = processing()
      await after(Math.floor(Math.random() * 4))
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30))
      child.kill('SIGKILL')
      await once(child, 'close')
    }
    const { child, errors } = processing()
    // The more kills, the more rows are left.
    await expect
      .poll(() => statesOf(ids), { timeout: 60_000 + kills * 5000, interval: 500 })
      .toEqual(['completed', 'completed'])
    child.kill('SIGTERM')
    await once(child, 'close')
    expect(errors).toEqual([])

    const { jobs, codes } = await read(ids)
    for (const [at, { job, outcomes }] of jobs.entries()) {
      expect(job).toMatchObject({ created: (rows * 9) / 10, failed: rows / 10, rowsTotal: rows })
      expect(outcomes.map(([line]) => line)).toEqual(Array.from({ length: rows }, (_, row) => 2 + 2 * row))
      const expected = Array.from({ length: rows }, (_, row) =>
        row % 10 === 9 ? null : `${'ab'[at]}_${row}`,
      )
      expect(outcomes.map(([, , ended, id]) => (ended === 'created' ? codes.get(id) : null))).toEqual(
        expected,
      )
    }
    expect(codes.size).toBe((2 * rows * 9) / 10)
    expect(checkFolder(dir)).toEqual({ ok: true, findings: [] })
  })
})
