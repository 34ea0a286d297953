// Records: a page of a query and of a search over a million, saves through the whole save order, and replay.
import { join } from 'node:path'
import { Generations } from '../../../server/kernel/records/fixture.ts'
import type { FieldId, ObjectId, RecordSnapshot } from '../../../server/kernel/records/index.ts'
import type { RecordStore, StoredRecord } from '../../../server/ports/record-store.ts'
import { createCursorSeal, runSaves, type RecordDeps } from '../../../server/records/index.ts'
import { replayRecord } from '../../../server/records/jobs/replay-record.ts'
import { runQuery } from '../../../server/records/query/run-query.ts'
import { runSearch } from '../../../server/records/query/run-search.ts'
import type { RecordCaller } from '../../../server/records/read/record-caller.ts'
import { recordTable } from '../../../server/records/record-table.ts'
import { rowsThread } from '../../../server/compose/rows-thread.ts'
import { newThreads } from '../../../server/compose/threads.ts'
import { createSqliteStore, openRecordStore, openSqliteStore } from '../../../server/storage/sqlite/index.ts'
import { accessOf, rootAccess, type Person } from '../../records/access.ts'
import { roundsOf } from '../support/compare.ts'
import { duration, type Line, type Part, type PartContext } from '../support/part.ts'
import { random } from '../support/random.ts'

const million = 1_000_000
const owners = 10_000
const questions = 400
const saved = 320_000
const perBatch = 200

const number = { type: 'number', precision: 12, scale: 2 }
const bodies = (rate: string): Record<string, object> => ({
  'config_set/vat': {
    ...{ cardinality: 'keyed', keyedBy: { key: 'country', type: 'text' }, effectiveDated: true },
    asOfField: 'invoice.tax_point',
    fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
  },
  'config_entry/vat.de': {
    ...{ set: 'vat', key: 'DE', scope: { kind: 'org' }, effectiveFrom: '2007-01-01', values: { rate } },
  },
  'object/company': {
    nameField: 'name',
    fields: [
      { key: 'name', type: 'text' },
      { key: 'city', type: 'text' },
      { key: 'owner', type: 'text' },
      { key: 'size', type: 'number', precision: 9, scale: 0 },
    ],
    sharing: { default: 'private', ownerField: 'owner', rules: [] },
  },
  'object/account': {
    fields: [
      { key: 'name', type: 'text', required: true },
      { key: 'turnover', ...number, rollup: { child: 'invoice', via: 'account', op: 'sum', of: 'net' } },
    ],
  },
  'object/invoice': {
    fields: [
      { key: 'number', type: 'text', required: true },
      { key: 'account', type: 'reference', references: 'account' },
      { key: 'country', type: 'text' },
      { key: 'tax_point', type: 'date', required: true },
      { key: 'net', ...number },
      { key: 'tax', ...number, formula: { expression: 'net * config.vat(country).rate', stored: true } },
    ],
    validationRules: [
      { key: 'positive', when: 'net < 0', message: 'The net amount is negative.', field: 'net' },
    ],
  },
})

const fields = Object.fromEntries(
  ['name', 'city', 'owner', 'size'].map((key) => [`company.${key}`, { read: true }]),
)
const everyone: Person = {
  ...{ user: 'all', objects: { company: { read: true, viewAll: true } }, fields },
}
/** Sees one record in ten thousand. */
const one: Person = { user: 'u7', objects: { company: { read: true } }, fields }

export const recordsPart: Part = {
  name: 'records',
  title: 'Records',
  async run(context) {
    const generations = new Generations()
    const now = generations.add(bodies('0.1900'))
    const file = join(context.folder, 'org.sqlite')
    const facts = { lineage: 'b', name: 'Bench', environment: 'dev', createdAt: '2026-01-01T00:00:00.000Z' }
    createSqliteStore(file, { ...facts, sliceBudget: 64 * 1024 * 1024 }).close()
    openSqliteStore(file).close()
    const store = openRecordStore(file, { writingThread: rowsThread(newThreads, file) })
    try {
      // First: what a million records have left in the caches of the disk would be written in between.
      const batches = await saves(context, store, generations)
      await fillCompanies(context, store, now)
      const lines = [...(await pages(context, store, now)), ...batches]
      lines.push(...(await computations(context, store, generations, now)))
      return { lines, notes }
    } finally {
      await store.close()
    }
  },
}

const notes = [
  'In one process, on SQLite with an fsync for every transaction. The companies are written to the store, the invoices through the whole save order.',
  'A query is a page of 50 in the order of an indexed field, from a random place; a search is a page of 50 of the records with one or two words that begin with a random text of one to nine letters. The viewer of all has the right to view all; the viewer of one record in ten thousand sees own records.',
  'Batches are measured seven times, each of 40,000 rows, after one that warms up; the figure is the median. The roll-ups are compared with the sums of what was sent.',
  'The replay computes each stored value at its generation and compares it.',
]

const syllables = [
  'ka',
  'lo',
  'mi',
  'ta',
  're',
  'su',
  'no',
  'vi',
  'ber',
  'gen',
  'hol',
  'mar',
  'ton',
  'der',
  'sch',
]
const wordOf = (next: () => number): string =>
  Array.from({ length: 2 + Math.floor(next() * 2) }, () => syllables[Math.floor(next() * 15)]!).join('')

async function fillCompanies({ say }: PartContext, store: RecordStore, now: RecordSnapshot): Promise<void> {
  say('a million companies')
  const next = random(11)
  const table = recordTable(now, 'company')
  const ids = now.names.fieldIds('company')
  const at = '2026-01-01T00:00:00.000Z'
  for (let index = 0; index < million;)
    await store.write(async (tx) => {
      await tx.enter([table])
      for (let row = 0; row < 20_000; row += 1, index += 1) {
        const values = new Map<FieldId, string>([
          [ids.get('name')!, `${wordOf(next)} ${wordOf(next)} ${['AG', 'GmbH', 'Ltd'][index % 3]!}`],
          [ids.get('city')!, wordOf(next)],
          [ids.get('owner')!, `u${Math.floor(next() * owners)}`],
          [ids.get('size')!, String(index)],
        ])
        await tx.insert({
          ...{ id: idOf(index), object: table.id, version: 1, createdAt: at, createdBy: 'a', changedAt: at },
          ...{ changedBy: 'a', values, bindings: new Map(), inputs: new Map() },
        })
      }
    })
}

const idOf = (index: number): string => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`

async function pages({ say }: PartContext, store: RecordStore, present: RecordSnapshot): Promise<Line[]> {
  const seal = createCursorSeal(() => Buffer.alloc(32, 7))
  const next = random(5)
  const measure = async (work: () => Promise<unknown>): Promise<number> => {
    const times: number[] = []
    for (let question = 0; question < roundsOf(questions); question += 1) {
      const started = performance.now()
      await work()
      times.push(performance.now() - started)
    }
    return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!
  }
  const lines: Line[] = []
  for (const [who, person] of [
    ['of all', everyone],
    ['of one record in 10,000', one],
  ] as const) {
    say(`pages for a viewer ${who}`)
    const caller: RecordCaller = { present, scopePath: {}, access: accessOf(person, present) }
    const query = await measure(() =>
      store.read((reader) =>
        runQuery(
          caller,
          reader,
          { seal },
          {
            ...{ object: 'company', fields: ['name', 'city', 'size'], limit: 50 },
            filter: `name > ${JSON.stringify(wordOf(next))}`,
            orderBy: [{ field: 'name', dir: 'asc' }],
          },
        ),
      ),
    )
    const search = await measure(() => {
      const text =
        next() < 0.5
          ? wordOf(next).slice(0, 1 + Math.floor(next() * 9))
          : `${wordOf(next)} ${wordOf(next).slice(0, 2)}`
      return store.read((reader) =>
        runSearch(caller, reader, { seal }, { object: 'company', text, fields: ['name', 'city'], limit: 50 }),
      )
    })
    const work = `1,000,000 records, a viewer ${who}`
    lines.push(p95('query, page of 50', work, query, 10), p95('search, page of 50', work, search, 30))
  }
  return lines
}

function p95(what: string, work: string, ms: number, most: number): Line {
  return {
    ...{ what, work, ours: `${duration(ms)} (p95)`, against: '', ratio: '' },
    ...{ aim: `≤ ${most} ms (p95)`, met: ms <= most },
  }
}

async function saves({ say }: PartContext, store: RecordStore, generations: Generations): Promise<Line[]> {
  say(`${saved} invoices`)
  const deps = depsOf(store, generations)
  const present = generations.at(1)
  const save = async (items: readonly object[]): Promise<string[]> => {
    const outcomes = await runSaves(deps, {
      ...{ generation: 1, actor: 'a', access: rootAccess(present), correlationId: 'c', scopePath: {} },
      ...{ allOrNone: true, items: items as never },
    })
    return outcomes.map((outcome) => {
      if (!outcome.ok) throw outcome.error
      return outcome.record!.id
    })
  }
  const accounts = await save(
    Array.from({ length: 200 }, (_, at) => ({ op: 'insert', object: 'account', values: { name: `A${at}` } })),
  )
  const [rounds, perRound] = roundsOf(saved) === 1 ? [1, 2000] : [8, saved / 8]
  const accountAt = (at: number): number => (at / perBatch) % accounts.length
  const batchFrom = (at: number): object[] =>
    Array.from({ length: perBatch }, (_, row) => ({
      ...{ op: 'insert', object: 'invoice' },
      values: {
        ...{ number: `I-${at + row}`, account: accounts[accountAt(at)], country: 'DE' },
        ...{ tax_point: '2022-01-01', net: String((at + row) % 1000) },
      },
    }))
  const rates: number[] = []
  const turnovers = accounts.map(() => 0)
  for (let round = 0; round < rounds; round += 1) {
    const running: Promise<string[]>[] = []
    const started = performance.now()
    for (let at = round * perRound; at < (round + 1) * perRound; at += perBatch) {
      if (running.length === 2) await running.shift()
      running.push(save(batchFrom(at)))
      for (let row = 0; row < perBatch; row += 1) turnovers[accountAt(at)]! += (at + row) % 1000
    }
    await Promise.all(running)
    rates.push((perRound / (performance.now() - started)) * 1000)
  }
  say(`${rates.map(Math.round).join(', ')} a second`)
  await requireTurnovers(store, present, accounts, turnovers)
  const measured = rates.length === 1 ? rates : rates.slice(1)
  const median = measured.toSorted((x, y) => x - y)[Math.floor(measured.length / 2)]!
  const work = 'formula that reads configuration, roll-up, rule; two at a time'
  return [rateLine('batches of 200', work, median, 20_000)]
}

/** The roll-ups of the accounts are the sums of what was sent. */
async function requireTurnovers(
  store: RecordStore,
  present: RecordSnapshot,
  accounts: readonly string[],
  turnovers: readonly number[],
): Promise<void> {
  const field = present.names.fieldIds('account').get('turnover')!
  const records = await store.read((reader) => reader.get(present.names.objectId('account')!, accounts))
  for (const { id, values } of records)
    if (Number(values.get(field) ?? 0) !== turnovers[accounts.indexOf(id)])
      throw new Error(`The turnover of ${id} is ${String(values.get(field))}.`)
}

function perSecond(what: string, work: string, count: number, started: number, least: number): Line {
  return rateLine(what, work, (count / (performance.now() - started)) * 1000, least)
}

function rateLine(what: string, work: string, rate: number, least: number): Line {
  return {
    ...{ what, work, ours: `${Math.round(rate).toLocaleString('en')} a second`, against: '', ratio: '' },
    ...{ aim: `≥ ${least.toLocaleString('en')} a second`, met: rate >= least },
  }
}

async function computations(
  { say }: PartContext,
  store: RecordStore,
  generations: Generations,
  now: RecordSnapshot,
): Promise<Line[]> {
  say('replay')
  const object = now.names.objectId('invoice')!
  const replay = performance.now()
  let replayed = 0
  await eachPage(store, object, async (reader, records) => {
    for (const record of records) {
      if ((await replayRecord(depsOf(store, generations).snapshots, reader, now, record)) !== true)
        throw new Error(`${record.id} is not reproduced.`)
      replayed += record.bindings.size
    }
  })
  return [perSecond('replay', `${replayed.toLocaleString('en')} stored values`, replayed, replay, 50_000)]
}

type Reader = Parameters<Parameters<RecordStore['read']>[0]>[0]

function eachPage(
  store: RecordStore,
  object: ObjectId,
  work: (reader: Reader, records: readonly StoredRecord[]) => Promise<void>,
): Promise<void> {
  return store.read(async (reader) => {
    let last: string | null = null
    for (;;) {
      const records = await reader.page(object, last, 200)
      if (records.length === 0) return
      await work(reader, records)
      last = records.at(-1)!.id
    }
  })
}

function depsOf(store: RecordStore, generations: Generations): RecordDeps {
  let id = 0
  return {
    store,
    snapshots: { active: () => generations.at(1), at: (generation) => generations.at(generation) },
    clock: { now: () => '2026-01-01T00:00:00.000Z', today: () => '2026-01-01' },
    ids: { uuid: () => `10000000-0000-7000-8000-${String((id += 1)).padStart(12, '0')}` },
  }
}
