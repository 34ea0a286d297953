// Records in a file, over the generations of the fixture.
import Database from 'better-sqlite3'
import { billing, Generations } from '../../server/kernel/records/fixture.ts'
import type { RecordDeps } from '../../server/records/index.ts'
import { records } from '../../server/storage/sqlite/migrations/019-records.ts'
import { SqliteRecordStore } from '../../server/storage/sqlite/records/record-store.ts'

/** Each save of a line publishes an event; one of an invoice sends a call too, and one over 900 is refused afterwards. */
const announcing = {
  'event_channel/lines': { partitionKey: 'weight', schema: [{ key: 'weight', type: 'number' }] },
  'automation/announce': {
    ...{ object: 'line', phase: 'after_write' },
    actions: [{ type: 'publish', key: 'line', channel: 'lines', payload: { weight: 'weight' } }],
  },
  'automation/send': {
    ...{ object: 'invoice', phase: 'after_write', when: 'isNew' },
    actions: [
      {
        ...{ type: 'enqueue', key: 'call', credential: 'crm', method: 'PUT', path: '/invoices/{number}' },
        pathParams: { number: 'number' },
      },
      { type: 'raise', key: 'large', when: 'net > 900', message: 'Too large.' },
    ],
  },
}

export function recordDeps(file: string, uuid: () => string): RecordDeps {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  if (db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'record_table'`).get() === undefined)
    db.exec(records)
  const generations = new Generations()
  const present = generations.add({ ...billing(), ...announcing })
  return {
    store: new SqliteRecordStore(db),
    snapshots: { active: () => present, at: (generation) => generations.at(generation) },
    clock: { now: () => new Date().toISOString(), today: () => '2026-01-01' },
    ids: { uuid },
  }
}
