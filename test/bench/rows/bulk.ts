// A bulk job of a million rows through the whole save order, and the memory that it takes.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { enginesOf } from '../../../server/compose/engines.ts'
import { openIngests } from '../../../server/compose/open-ingests.ts'
import { initOrg, openOrg } from '../../../server/compose/open-org.ts'
import { newThreads } from '../../../server/compose/threads.ts'
import type { IngestCaller } from '../../../server/bulk/index.ts'
import type { IngestFormat, IngestJob } from '../../../server/ports/ingest.ts'
import { limitGcPauses } from '../../../server/system/index.ts'
import { roundsOf } from '../support/compare.ts'
import { digits, times, type Line, type Part } from '../support/part.ts'
import { insertRaw } from '../support/raw-rows.ts'
import { rateOf } from '../support/turns.ts'

const least = 25_000
const mostMegabytes = 300
const perPart = 100_000
const warmRows = 2000

export const bulkPart: Part = {
  name: 'bulk',
  title: 'Bulk ingest',
  async run({ folder, say }) {
    // As a server does at its start.
    limitGcPauses()
    // A quick run only checks that everything works.
    const rows = roundsOf(7) === 1 ? 5000 : 1_000_000
    const lines: Line[] = []
    say('SQLite')
    const raw = (rows / insertRaw(join(folder, 'raw.sqlite'), rowNames, cellsUpTo(rows))) * 1000
    for (const format of ['csv', 'jsonl'] as const) {
      say(`${rows.toLocaleString('en')} rows of ${format}`)
      const { ms, megabytes } = await ingest(join(folder, format), format, rows)
      const rate = (rows / ms) * 1000
      const work = `${rows.toLocaleString('en')} rows of ten columns, ${format}`
      lines.push(
        {
          ...{ what: 'bulk job', work, ours: rateOf(rate) },
          ...{ against: `SQLite ${rateOf(raw)}`, ratio: times(rate / raw) },
          ...{ aim: `≥ ${rateOf(least)}`, met: rate >= least },
        },
        {
          ...{ what: 'its peak memory', work, against: '', ratio: '', ours: `${digits(megabytes)} MB` },
          ...{ aim: `≤ ${mostMegabytes} MB`, met: megabytes <= mostMegabytes },
        },
      )
    }
    return { lines, notes }
  },
}

const notes = [
  'The object has a stored formula, a validation rule and change capture. The rows are inserted as a server does it, in batches of 200 with an fsync for each, and every record is counted at the end. The time is from the start of the processing to the end of the job, after a small job that loads the code of the threads.',
  'SQLite is the lower bound: one thread inserts the same values, which it has at hand, as rows of one table with a unique index, each with an event and a result, 200 in a transaction with an fsync. It parses, checks and computes nothing, and keeps no history, digests or words to search for.',
  'The memory is the largest growth of the resident set of the whole process while the rows are processed.',
]

export const rowNames = [
  'code',
  'name',
  'street',
  'city',
  'country',
  'amount',
  'quantity',
  'born',
  'active',
  'note',
]

const types: Record<string, object> = {
  amount: { type: 'number', precision: 12, scale: 2 },
  quantity: { type: 'number', precision: 9, scale: 0 },
  born: { type: 'date' },
  active: { type: 'boolean' },
  code: { type: 'text', required: true, unique: true },
}

export const rowComponents: readonly object[] = [
  {
    ...{ type: 'object', key: 'row', label: 'Row' },
    body: {
      fields: [
        ...rowNames.map((key) => ({ key, ...(types[key] ?? { type: 'text' }) })),
        {
          ...{ key: 'total', type: 'number', precision: 14, scale: 2 },
          formula: { expression: 'amount * quantity', stored: true },
        },
      ],
      validationRules: [
        { key: 'positive', when: 'quantity < 0', message: 'No negative quantity.', field: 'quantity' },
      ],
      capture: { enabled: true },
    },
  },
  {
    ...{ type: 'permission_set', key: 'loader', label: 'Loader' },
    body: {
      objects: { row: { create: true, read: true, viewAll: true } },
      fields: Object.fromEntries(
        [...rowNames, 'total'].map((key) => [`row.${key}`, { read: true, edit: key !== 'total' }]),
      ),
    },
  },
]

const cellsOf = (at: number): string[] => [
  ...[`R${at}`, `Name ${at}`, `Street ${at % 500}`, `City ${at % 3000}`, 'DE'],
  ...[`${at % 1000}.25`, String(at % 50), `19${String(at % 100).padStart(2, '0')}-05-17`],
  ...[at % 2 === 0 ? 'true' : 'false', `A note that is somewhat longer than the others, number ${at}`],
]

function* cellsUpTo(rows: number): Generator<string[]> {
  for (let at = 0; at < rows; at += 1) yield cellsOf(at)
}

export function rowLine(format: IngestFormat, at: number): string {
  const cells = cellsOf(at)
  if (format === 'csv') return `${cells.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)).join(',')}\n`
  const row = Object.fromEntries(
    rowNames.map((name, index) => [name, name === 'active' ? at % 2 === 0 : cells[index]]),
  )
  return `${JSON.stringify(row)}\n`
}

async function ingest(
  dir: string,
  format: IngestFormat,
  rows: number,
): Promise<{ ms: number; megabytes: number }> {
  const made = initOrg(dir, { name: 'Rows', environment: 'test' })
  const by = { actor: 'admin', correlationId: 'c', isOperator: true }
  await made.apply({ source: { kind: 'components', components: rowComponents }, actor: 'admin' })
  await enginesOf(made).access.addUser(by, { key: 'ada', name: 'Ada', permissionSets: ['loader'] })
  await made.close()
  const org = openOrg(dir, { worker: true, threads: newThreads })
  const { ingests } = enginesOf(org)
  const caller: IngestCaller = {
    ...{ user: 'ada', client: null, isOperator: false, generation: org.activeGeneration() },
    ...{ scopePath: {}, correlationId: 'c' },
  }
  const upload = async (first: number, count: number): Promise<string> => {
    const request = { object: 'row', operation: 'insert', format, columns: rowNames } as const
    const { id } = await ingests.create(caller, request)
    const parts = Math.ceil(count / perPart)
    for (let number = 1; number <= parts; number += 1) {
      const bytes = linesOf(format, first + (number - 1) * perPart, first + Math.min(number * perPart, count))
      await ingests.putPart(caller, id, { number, bytes, verify: () => undefined })
    }
    await ingests.close(caller, id, parts)
    return id
  }
  let peak = 0
  const runner = openIngests(org, {
    ...{ threads: newThreads, uses: { noteIngestColumns: () => undefined } },
    onProgress: () => (peak = Math.max(peak, process.memoryUsage.rss())),
    onError: (error) => {
      throw error
    },
  })
  const processed = async (id: string, count: number): Promise<number> => {
    const started = performance.now()
    runner.wake()
    const ended = await endOf(() => ingests.get(caller, id))
    if (ended.created !== count) throw new Error(`Not all rows were created: ${JSON.stringify(ended)}`)
    return performance.now() - started
  }
  // The threads load their code with the first job.
  await processed(await upload(0, warmRows), warmRows)
  const id = await upload(warmRows, rows)
  const before = (peak = process.memoryUsage.rss())
  const ms = await processed(id, rows)
  await runner.close()
  await org.close()
  return { ms, megabytes: (peak - before) / 1024 / 1024 }
}

async function* linesOf(format: IngestFormat, from: number, to: number): AsyncIterable<Uint8Array> {
  for (let at = from; at < to; at += 1000)
    yield Buffer.from(
      Array.from({ length: Math.min(1000, to - at) }, (_, row) => rowLine(format, at + row)).join(''),
    )
}

async function endOf(read: () => Promise<IngestJob>): Promise<IngestJob> {
  for (;;) {
    const job = await read()
    if (['completed', 'failed', 'aborted'].includes(job.state)) return job
    await wait(20)
  }
}
