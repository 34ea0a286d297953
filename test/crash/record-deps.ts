// Records in a file, over the generations of the fixture.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { billing, Generations } from '../../server/kernel/records/fixture.ts'
import { rowsThread } from '../../server/compose/rows-thread.ts'
import type { Threads } from '../../server/compose/threads.ts'
import type { RecordDeps } from '../../server/records/index.ts'
import { createSqliteStore, openRecordStore, openSqliteStore } from '../../server/storage/sqlite/index.ts'

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

/** @param threads if given, a second thread writes the rows of large saves */
export function recordDeps(folder: string, uuid: () => string, threads?: Threads): RecordDeps {
  const path = join(folder, 'org.sqlite')
  const facts = { lineage: 'c', name: 'Crash', environment: 'test', createdAt: '2026-01-01T00:00:00.000Z' }
  if (!existsSync(path)) {
    createSqliteStore(path, { ...facts, sliceBudget: 1024 }).close()
    openSqliteStore(path).close()
  }
  const generations = new Generations()
  const present = generations.add({ ...billing(), ...announcing })
  return {
    store: openRecordStore(path, threads && { writingThread: rowsThread(threads, path) }),
    snapshots: { active: () => present, at: (generation) => generations.at(generation) },
    clock: { now: () => new Date().toISOString(), today: () => '2026-01-01' },
    ids: { uuid },
  }
}
