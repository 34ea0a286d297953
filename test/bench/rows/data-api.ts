// The data API over HTTP: reads next to bare Express, creates next to raw commits of SQLite.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import Database from 'better-sqlite3'
import { enginesOf } from '../../../server/compose/engines.ts'
import { initOrg } from '../../../server/compose/open-org.ts'
import { roundsOf, timingOf } from '../support/compare.ts'
import { digits, duration, type Line, type Part, type PartContext } from '../support/part.ts'
import { random } from '../support/random.ts'
import { load, serve, type Ask, type Load, type Served } from '../support/served.ts'

const rounds = 7
const turnMs = 1500
const stored = 2000

const columns = ['name', 'city', 'street', 'country', 'email', 'owner', 'vat_id', 'size', 'founded', 'active']
const types: Readonly<Record<string, object>> = {
  size: { type: 'number', precision: 9, scale: 0 },
  founded: { type: 'date' },
  active: { type: 'boolean' },
}
const components = [
  {
    ...{ type: 'object', key: 'company', label: 'Company' },
    body: {
      storage: 'local',
      nameField: 'name',
      sharing: { default: 'private', ownerField: 'owner', rules: [] },
      fields: columns.map((key) => ({ key, type: 'text', ...types[key] })),
    },
  },
  {
    ...{ type: 'permission_set', key: 'clerk', label: 'Clerk' },
    body: {
      objects: { company: { create: true, read: true, update: true } },
      fields: Object.fromEntries(columns.map((key) => [`company.${key}`, { read: true, edit: true }])),
    },
  },
]

/** Its limits are on, and above what a connection can send. */
const client = {
  ...{ type: 'integration_client', key: 'bench', label: 'Bench' },
  body: {
    ...{ authScheme: 'oauth2_client_credentials', runAs: 'clerk' },
    rateLimit: { sustained: 1_000_000, burst: 1_000_000, concurrency: 1000 },
  },
}

const companyOf = (index: number): Record<string, unknown> => ({
  ...{ name: `Company ${index}`, city: `City ${index % 100}`, street: `${index} Long Street`, country: 'DE' },
  ...{
    email: `office@company-${index}.example`,
    owner: 'clerk',
    vat_id: `DE${100_000_000 + index}`,
  },
  ...{ size: String(index), founded: '1999-04-01', active: index % 2 === 0 },
})

export const dataApiPart: Part = {
  name: 'data-api',
  title: 'The data API over HTTP',
  async run(context) {
    const folder = join(context.folder, 'org')
    const token = await newOrg(folder)
    const served = await serve('almanac-server', folder)
    const headers = { authorization: `Bearer ${token}` }
    try {
      const records = await fill(served, headers)
      const file = join(context.folder, 'records.json')
      writeFileSync(file, JSON.stringify(records))
      const express = await serve('express-server', file)
      try {
        return {
          lines: [
            ...(await reads(context, { served, express, headers, records })),
            ...(await creates(context, served, headers)),
          ],
          notes,
        }
      } finally {
        await express.stop()
      }
    } finally {
      await served.stop()
    }
  },
}

const notes = [
  'Each side is a process of its own, and a third one sends the requests over connections that stay open: 20 for reads, 128 for creates. Sides take turns; a figure is the median of seven. Processor time is that of the process with all of its threads.',
  'A read is of one record of ten fields, by its owner, an integration client with a token, limits and a right on each field. Bare Express returns the same JSON from a map in memory, without a database, rights or headers of its own.',
  'A create goes through the whole save order with its history, and is on the disk before the answer. The limit inserts the same rows and their history with better-sqlite3 alone, 64 in a transaction, with an fsync for each.',
]

/** Returns the token of a client that runs as a clerk. */
async function newOrg(folder: string): Promise<string> {
  const org = initOrg(folder, { name: 'Bench', environment: 'dev' })
  try {
    const apply = (list: readonly object[]): Promise<unknown> =>
      org.apply({ source: { kind: 'components', components: list }, actor: 'admin', rationale: 'Measured.' })
    await apply(components)
    const by = { actor: 'admin', correlationId: 'c', isOperator: true }
    const { access } = enginesOf(org)
    await access.addUser(by, { key: 'clerk', name: 'Clerk', permissionSets: ['clerk'] })
    await apply([client])
    return (await access.issueToken(by, client.key)).token
  } finally {
    await org.close()
  }
}

/** Creates the records that are read, and returns their JSON by id. */
async function fill(served: Served, headers: Record<string, string>): Promise<Record<string, unknown>> {
  const records: Record<string, unknown> = {}
  for (let index = 0; index < stored; index += 1) {
    const response = await fetch(`${served.url}/data/v3/company`, {
      ...{ method: 'POST', body: JSON.stringify(companyOf(index)) },
      headers: { ...headers, 'content-type': 'application/json' },
    })
    if (response.status !== 201) throw new Error(await response.text())
    const record = (await response.json()) as { id: string }
    records[record.id] = record
  }
  return records
}

interface Reading {
  served: Served
  express: Served
  headers: Record<string, string>
  records: Record<string, unknown>
}

async function reads({ say }: PartContext, { served, express, headers, records }: Reading): Promise<Line[]> {
  const ids = Object.keys(records)
  const pick = random(7)
  const next = (): Ask => ({
    method: 'GET',
    path: `/data/v3/company/${ids[Math.floor(pick() * ids.length)]!}`,
  })
  let seen = 0
  const check = (status: number, body: string): void => {
    // The whole body now and then: parsing each would make this process the limit.
    if ((seen += 1) % 50 !== 0) {
      if (status !== 200 || !body.includes('"fields"')) throw new Error(`${status}: ${body}`)
      return
    }
    const { id, ...rest } = JSON.parse(body) as { id: string }
    if (!isDeepStrictEqual({ id, ...rest }, records[id])) throw new Error(`${status}: ${body}`)
  }
  const [ours, theirs] = await inTurns(say, 'reads', [served, express], (side) =>
    load(side, { connections: 20, ms: turnMs, headers, next, check }),
  )
  return [
    {
      ...{ what: 'read a record', work: 'requests a second, 20 connections' },
      ...rated(ours!.rate, `bare Express ${rateOf(theirs!.rate)}`, ours!.rate / theirs!.rate, 0.7),
    },
    {
      ...{ what: 'read a record', work: 'processor time each', ours: duration(ours!.cpu / 1000) },
      ...{
        against: `bare Express ${duration(theirs!.cpu / 1000)}`,
        ratio: `${digits(ours!.cpu / theirs!.cpu)}×`,
      },
      ...{ aim: '≤ 1.43×', met: ours!.cpu / theirs!.cpu <= 1.43 },
    },
  ]
}

async function creates(
  { say, folder }: PartContext,
  served: Served,
  headers: Record<string, string>,
): Promise<Line[]> {
  let index = stored
  const next = (): Ask => ({
    method: 'POST',
    path: '/data/v3/company',
    body: JSON.stringify(companyOf((index += 1))),
  })
  const check = (status: number, body: string): void => {
    if (status !== 201) throw new Error(`${status}: ${body}`)
  }
  const raw = rawCommits(join(folder, 'raw.sqlite'))
  const rates: [number[], number[]] = [[], []]
  for (let round = 0; round <= roundsOf(rounds); round += 1) {
    say(`creates, ${round} of ${roundsOf(rounds)}`)
    const { requests, ms } = await load(served, { connections: 128, ms: turnMs, headers, next, check })
    const limit = raw.turn()
    // The first turn warms up.
    if (round === 0) continue
    rates[0].push((requests / ms) * 1000)
    rates[1].push(limit)
  }
  raw.close()
  const [ours, limit] = rates.map((each) => timingOf('', each).ms) as [number, number]
  return [
    {
      ...{ what: 'create a record', work: 'requests a second, 128 connections' },
      ...rated(ours, `SQLite, 64 in a transaction ${rateOf(limit)}`, ours / limit, 0.7),
    },
  ]
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

interface Rate {
  rate: number
  cpu: number
}

async function inTurns(
  progress: (text: string) => void,
  what: string,
  sides: readonly Served[],
  turn: (side: Served) => Promise<Load>,
): Promise<Rate[]> {
  const loads = sides.map((): Load[] => [])
  for (let round = 0; round <= roundsOf(rounds); round += 1) {
    progress(`${what}, ${round} of ${roundsOf(rounds)}`)
    for (const [at, side] of sides.entries()) {
      const one = await turn(side)
      // The first turn warms up.
      if (round > 0) loads[at]!.push(one)
    }
  }
  return loads.map((each) => ({
    rate: timingOf(
      '',
      each.map(({ requests, ms }) => (requests / ms) * 1000),
    ).ms,
    cpu: timingOf(
      '',
      each.map(({ cpuEach }) => cpuEach),
    ).ms,
  }))
}

const rateOf = (rate: number): string => `${Math.round(rate).toLocaleString('en')}/s`

function rated(rate: number, against: string, ratio: number, least: number): Omit<Line, 'what' | 'work'> {
  return { ours: rateOf(rate), against, ratio: `${digits(ratio)}×`, aim: `≥ ${least}×`, met: ratio >= least }
}
