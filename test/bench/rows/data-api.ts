// The data API over HTTP: reads next to bare Express, creates next to raw commits of SQLite, and all of it next to Directus.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { almanacCompanies } from '../support/almanac-companies.ts'
import { asking, perPage, stored, type CompanyAsk, type CompanyServer } from '../support/company.ts'
import { directusCompanies } from '../support/directus-companies.ts'
import { digits, duration, type Line, type Part, type PartContext } from '../support/part.ts'
import { random } from '../support/random.ts'
import { serve } from '../support/served.ts'
import { against, inTurns, rated, rateOf, turnMs } from '../support/turns.ts'
import { creates, batches } from './data-api-writes.ts'

export const dataApiPart: Part = {
  name: 'data-api',
  title: 'The data API over HTTP',
  async run(context) {
    const sides: CompanyServer[] = []
    try {
      context.say('servers')
      sides.push(await almanacCompanies(join(context.folder, 'org')))
      const directus = await directusCompanies(join(context.folder, 'directus'))
      if (directus !== null) sides.push(directus)
      return {
        lines: [
          ...(await reads(context, sides)),
          ...(await pages(context, sides)),
          ...(await creates(context, sides)),
          ...(await batches(context, sides)),
        ],
        notes: [...notes, directus === null ? absent : peer],
      }
    } finally {
      for (const side of sides) await side.stop()
    }
  },
}

const notes = [
  'Each side is a process of its own, and a third one sends the requests over connections that stay open. Sides take turns; a figure is the median of seven. Processor time is that of the process with all of its threads.',
  'A read is of one record of ten fields, by its owner, an integration client with a token, limits and a right on each field. Bare Express returns the same JSON from a map in memory, without a database, rights or headers of its own.',
  `A query returns ten fields of the ${perPage} records with the next larger values of an indexed number, from a random one, of ${stored.toLocaleString('en')} on each side.`,
  'A create goes through the whole save order with its history, and is on the disk before the answer. The limit inserts the same rows and their history with better-sqlite3 alone, 64 in a transaction, with an fsync for each. A batch is 200 creates in one request.',
]
const peer =
  'Directus keeps the same records in SQLite, with a write-ahead log and an fsync for every transaction as ours, and its activity and revisions as the history. Its user has a static token and a policy with all fields of the records that it owns; cache, limits and telemetry are off. In place of isolated-vm 5, which does not load in Node 24, it has isolated-vm 6, which only its extensions use.'
const absent = 'Directus is not installed: `npm run bench:peers` installs the peers and measures them too.'

async function reads({ say, folder }: PartContext, sides: readonly CompanyServer[]): Promise<Line[]> {
  const [ours, ...others] = sides
  const express = await bareExpress(ours!, join(folder, 'records.json'))
  try {
    const pick = random(7)
    const next = (side: CompanyServer): CompanyAsk => {
      const index = Math.floor(pick() * side.ids.length)
      return { ...side.read(side.ids[index]!), indexes: [index] }
    }
    const all = [ours!, express, ...others]
    const rates = await inTurns(say, 'reads', all, (side) => ({
      ...{ connections: 20, ms: turnMs },
      ...asking(side, () => next(side)),
    }))
    const [own, limit] = rates
    const work = 'requests a second, 20 connections'
    return [
      { what: 'read a record', work, ...rated(own!.rate, 'bare Express', limit!.rate, 0.7) },
      {
        ...{ what: 'read a record', work: 'processor time each', ours: duration(own!.cpu / 1000) },
        ...{
          against: `bare Express ${duration(limit!.cpu / 1000)}`,
          ratio: `${digits(own!.cpu / limit!.cpu)}×`,
        },
        ...{ aim: '≤ 1.43×', met: own!.cpu / limit!.cpu <= 1.43 },
      },
      ...others.map((side, at) => ({
        ...{ what: 'read a record', work },
        ...against(side.name, own!.rate, rates[at + 2]!.rate),
      })),
    ]
  } finally {
    await express.stop()
  }
}

/** It returns the JSON of our records. */
async function bareExpress(ours: CompanyServer, file: string): Promise<CompanyServer> {
  const records: Record<string, unknown> = {}
  for (const id of ours.ids) {
    const response = await fetch(ours.served.url + ours.read(id).path, { headers: ours.headers })
    records[id] = await response.json()
  }
  writeFileSync(file, JSON.stringify(records))
  const served = await serve('express-server', file)
  return { ...ours, name: 'bare Express', served, stop: () => served.stop() }
}

async function pages({ say }: PartContext, sides: readonly CompanyServer[]): Promise<Line[]> {
  const pick = random(11)
  const next = (side: CompanyServer): CompanyAsk => {
    const after = Math.floor(pick() * (stored - perPage))
    return { ...side.page(after), indexes: Array.from({ length: perPage }, (_, at) => after + 1 + at) }
  }
  const [own, ...others] = await inTurns(say, 'queries', sides, (side) => ({
    ...{ connections: 20, ms: turnMs },
    ...asking(side, () => next(side)),
  }))
  const line = { what: `query, page of ${perPage}`, work: 'requests a second, 20 connections' }
  if (others.length === 0)
    return [{ ...line, ours: rateOf(own!.rate), against: '', ratio: '', aim: '', met: null }]
  return others.map((other, at) => ({ ...line, ...against(sides[at + 1]!.name, own!.rate, other.rate) }))
}
