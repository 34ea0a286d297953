// Finds rows that something other than Almanac changed, added or removed, and counters that were changed.
import type { Finding } from '#kernel/errors/finding.ts'
import { all, one, type Db } from '../db.ts'
import { findBrokenSeals, type BrokenSeal } from '../seals.ts'
import { fault } from './fault.ts'

const words: Readonly<Record<BrokenSeal['state'], (table: string) => string>> = {
  altered: (table) => `A row of the table ${table} was changed by something other than Almanac.`,
  unknown: (table) => `A row of the table ${table} was added by something other than Almanac.`,
  missing: (table) => `A row of the table ${table} was removed by something other than Almanac.`,
}

const codes = {
  altered: 'integrity.row_altered',
  unknown: 'integrity.row_unknown',
  missing: 'integrity.row_missing',
} as const

export function sealFaults(db: Db): Finding[] {
  const rows = findBrokenSeals(db).map(({ table, id, state }) =>
    fault(codes[state], `${table}/${idWords(id)}`, words[state](table)),
  )
  return [...rows, ...counterFaults(db)]
}

/** Tables whose ids grow and are never reused. Their rows are never removed. */
const counterTables: Readonly<Record<string, string>> = {
  audit: 'id',
  change_request_approval: 'one',
  change_request_event: 'seq',
}

function counterFaults(db: Db): Finding[] {
  const stored = all<{ name: string; seq: number }>(db, 'SELECT name, seq FROM sqlite_sequence')
  const seqByName = new Map(stored.map(({ name, seq }) => [name, seq]))
  const names = new Set([...Object.keys(counterTables), ...seqByName.keys()])
  return [...names].flatMap((name) => {
    const column = counterTables[name]
    const last =
      column === undefined
        ? null
        : one<{ last: number }>(db, `SELECT coalesce(max("${column}"), 0) AS last FROM "${name}"`)!.last
    return last === (seqByName.get(name) ?? 0)
      ? []
      : [
          fault(
            'integrity.row_altered',
            `sqlite_sequence/${name}`,
            `The ID counter of the table ${name} was changed by something other than Almanac.`,
          ),
        ]
  })
}

function idWords(id: string): string {
  try {
    return (JSON.parse(id) as unknown[]).join('/')
  } catch {
    return id
  }
}
