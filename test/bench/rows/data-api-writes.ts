// Creates, one by one and in batches, over HTTP.
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import Database from 'better-sqlite3'
import {
  asking,
  columns,
  companyOf,
  perBatch,
  stored,
  type CompanyAsk,
  type CompanyServer,
} from '../support/company.ts'
import type { Line, PartContext } from '../support/part.ts'
import type { LoadOptions } from '../support/served.ts'
import { against, inTurns, rated, rateOf, turnMs } from '../support/turns.ts'

/** The index of the next company that is created. */
let free = stored

export async function creates(
  { say, folder }: PartContext,
  sides: readonly CompanyServer[],
): Promise<Line[]> {
  const next = (side: CompanyServer): CompanyAsk => {
    const index = (free += 1)
    return { ...side.create(index), indexes: [index] }
  }
  const raw = rawCommits(join(folder, 'raw.sqlite'))
  const turn = (side: CompanyServer): LoadOptions<CompanyAsk> => ({
    ...{ connections: 128, ms: turnMs },
    ...asking(side, () => next(side)),
  })
  const rates = await inTurns(say, 'creates', sides, turn, raw.turn)
  raw.close()
  const own = rates[0]!.rate
  const limit = rates.at(-1)!.rate
  const line = { what: 'create a record', work: 'requests a second, 128 connections' }
  return [
    { ...line, ...rated(own, 'SQLite, 64 in a transaction', limit, 0.7) },
    ...sides.slice(1).map(({ name }, at) => ({ ...line, ...against(name, own, rates[at + 1]!.rate) })),
  ]
}

interface Created {
  indexes: readonly number[]
  /** Of one of them: Directus returns the IDs of a batch in an order of its own. */
  id: string
}

/** Rows a second; one row of each side’s last batch is read again. */
export async function batches({ say }: PartContext, sides: readonly CompanyServer[]): Promise<Line[]> {
  const last = new Map<CompanyServer, Created>()
  const next = (side: CompanyServer): CompanyAsk => {
    const indexes = Array.from({ length: perBatch }, () => (free += 1))
    return { ...side.batch(indexes[0]!), indexes }
  }
  const rates = await inTurns(say, 'batches', sides, (side) => ({
    ...{ connections: 4, ms: turnMs, headers: side.headers },
    next: () => next(side),
    check: (status, body, { indexes }) => {
      const ids = status === 200 ? side.createdIn(body) : []
      if (ids.length !== perBatch) throw new Error(`${side.name} answered a batch with ${status}: ${body}`)
      last.set(side, { indexes, id: ids.at(-1)! })
    },
  }))
  for (const [side, created] of last) await requireStored(side, created)
  const [own, ...others] = rates.map(({ rate }) => rate * perBatch)
  const line = { what: `batches of ${perBatch}`, work: 'rows a second, 4 connections' }
  if (others.length === 0)
    return [{ ...line, ours: rateOf(own!), against: '', ratio: '', aim: '', met: null }]
  return others.map((other, at) => ({ ...line, ...against(sides[at + 1]!.name, own!, other) }))
}

async function requireStored(side: CompanyServer, { indexes, id }: Created): Promise<void> {
  const response = await fetch(side.served.url + side.read(id).path, { headers: side.headers })
  const body = await response.text()
  const [company] = response.ok ? side.companiesIn(body) : []
  if (!indexes.some((index) => isDeepStrictEqual(company, side.expected(index))))
    throw new Error(`${side.name} returned ${response.status} for a row of a batch: ${body}`)
}

/** Rows and their history, written with SQLite alone. */
function rawCommits(file: string): { turn(): number; close(): void } {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  const names = [
    'id',
    'version',
    'created_at',
    'created_by',
    'changed_at',
    'changed_by',
    ...columns,
    'digest',
  ]
  db.exec(`CREATE TABLE company (${names.map((name) => `${name} TEXT`).join(', ')}, PRIMARY KEY (id)) WITHOUT ROWID;
    CREATE TABLE change (sequence INTEGER PRIMARY KEY, record TEXT, at TEXT, by TEXT, fields TEXT, digest TEXT);
    CREATE INDEX change_record ON change (record, sequence)`)
  const insert = db.prepare(
    `INSERT INTO company (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  )
  const log = db.prepare('INSERT INTO change (record, at, by, fields, digest) VALUES (?, ?, ?, ?, ?)')
  const digest = 'x'.repeat(43)
  let index = 0
  const group = db.transaction(() => {
    for (let row = 0; row < 64; row += 1, index += 1) {
      const id = `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`
      const at = '2026-01-01T00:00:00.000Z'
      const values = Object.values(companyOf(index)).map(String)
      insert.run([id, '1', at, 'clerk', at, 'clerk', ...values, digest])
      log.run([id, at, 'clerk', JSON.stringify(values), digest])
    }
  })
  return {
    turn: () => {
      const [started, before] = [performance.now(), index]
      while (performance.now() - started < turnMs / 2) group()
      return ((index - before) / (performance.now() - started)) * 1000
    },
    close: () => db.close(),
  }
}
