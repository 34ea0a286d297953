// Finds records, changes of records, effects, kept replies, jobs and uses that something other than Almanac changed, added or removed.
import type { Finding } from '#kernel/errors/finding.ts'
import type { FindingCode } from '#kernel/errors/finding-codes.ts'
import { changeDigest, type ChangeRow } from '../records/changes.ts'
import {
  deliveryBodyDigest,
  deliveryDigest,
  deliveryKeyDigest,
  type DeliveryBodyRow,
  type DeliveryKeyRow,
  type StoredDelivery,
} from '../records/delivery-row.ts'
import { eventDigest, loggedDigest, type EventPlace } from '../records/event-rows.ts'
import type { EventRow } from '../records/event-tables.ts'
import { effectDigest, type EffectRow } from '../records/effects.ts'
import { batchDigest, type BatchRow } from '../records/ingests.ts'
import { outboxDigest, type StoredOutbox } from '../records/outbox-row.ts'
import { jobDigest, type JobRow } from '../records/jobs.ts'
import { replyDigest, type ReplyRow } from '../records/replies.ts'
import { columnNames, recordColumns, recordDigest, type Row } from '../records/rows.ts'
import { recordsSchema } from '../records/records-file.ts'
import { indexName, indexSql, mappedTables } from '../records/table-map.ts'
import { traceDigest, type TraceRow } from '../records/trace-rows.ts'
import { useDigest, type UseRow } from '../records/uses.ts'
import type { Db } from '../db.ts'
import { fault } from './fault.ts'

export function recordFaults(db: Db): Finding[] {
  return [
    ...schemaFaults(db),
    ...rowFaults(db),
    ...historyFaults(db),
    ...effectFaults(db),
    ...outboxFaults(db),
    ...replyFaults(db),
    ...jobFaults(db),
    ...useFaults(db),
    ...traceFaults(db),
    ...ingestFaults(db),
    ...deliveryFaults(db),
    ...eventFaults(db),
  ]
}

/** Tables, columns and indexes of records, compared with those that the map declares. */
function* schemaFaults(db: Db): Iterable<Finding> {
  const sql = `SELECT name, sql FROM ${recordsSchema(db)}.sqlite_schema WHERE name GLOB 'record_[0-9]*'`
  const actual = new Map(db.prepare(sql).raw().all() as [string, string][])
  const expected = new Set<string>()
  for (const table of mappedTables(db)) {
    const { name, columns } = table
    expected.add(name)
    const names = new Set(db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(name) as string[])
    for (const column of [...recordColumns, ...columnNames(table), 'digest'])
      if (!names.has(column)) yield schemaFault(name, `The column ${column} of the table ${name} is missing.`)
    for (const column of columns) {
      if (!column.indexed) continue
      expected.add(indexName(name, column))
      if (actual.get(indexName(name, column)) !== indexSql(name, column))
        yield schemaFault(
          indexName(name, column),
          `The index of ${column.value} in ${name} is missing or different.`,
        )
    }
  }
  for (const name of actual.keys())
    if (!expected.has(name) && !isOutgrown(name, expected))
      yield schemaFault(name, `${name} was added by something other than Almanac.`)
}

/** The index of a column that a number has outgrown. */
const isOutgrown = (name: string, expected: ReadonlySet<string>): boolean =>
  /^record_\d+_f\d+_/.test(name) && expected.has(name.replace(/_f.*$/, ''))

const schemaFault = (name: string, message: string): Finding =>
  fault('integrity.schema', `schema/${name}`, message)

function* rowFaults(db: Db): Iterable<Finding> {
  for (const table of mappedTables(db)) {
    const { name } = table
    const columns = [...recordColumns, ...columnNames(table), 'digest'].join(', ')
    for (const row of db.prepare(`SELECT ${columns} FROM ${name}`).safeIntegers().iterate() as Iterable<Row>)
      if (row['digest'] !== recordDigest(row, table))
        yield altered(`${name}/${String(row['id'])}`, 'A record was changed by something other than Almanac.')
  }
}

const changesSql = `SELECT sequence, object, record, version, operation, at, by, correlation_id, generation, fields, digest
  FROM record_change ORDER BY record, object, sequence`

type Digested<T> = T & { digest: string }

/** The changes of each record form a chain, which ends with the record as it is stored. */
function* historyFaults(db: Db): Iterable<Finding> {
  const names = new Map(mappedTables(db).map(({ object, name }) => [object, name]))
  const versions = new Map<string, Map<string, number>>()
  for (const [object, name] of names) {
    const rows = db.prepare(`SELECT id, version FROM ${name}`).raw().all() as [string, number][]
    versions.set(object, new Map(rows))
  }
  let last: Digested<ChangeRow> | null = null
  const isSame = (row: ChangeRow): boolean => row.record === last?.record && row.object === last.object
  const finish = function* (): Iterable<Finding> {
    if (last === null) return
    const stored = versions.get(last.object)
    const version = stored?.get(last.record)
    stored?.delete(last.record)
    const expected = last.operation === 'delete' ? undefined : last.version
    if (version !== expected)
      yield missing(
        `${names.get(last.object) ?? last.object}/${last.record}`,
        'A record, or its last changes, were removed by something other than Almanac.',
      )
  }
  for (const row of db.prepare(changesSql).iterate() as Iterable<Digested<ChangeRow>>) {
    const before = isSame(row) ? last!.digest : ''
    if (!isSame(row)) yield* finish()
    if (changeDigest(before, row) !== row.digest)
      yield altered(
        `record_change/${row.record}`,
        'A change of a record, or the one before it, was changed by something other than Almanac.',
      )
    last = row
  }
  yield* finish()
  for (const [object, stored] of versions)
    for (const id of stored.keys())
      yield fault(
        'integrity.row_unknown',
        `${names.get(object as never)!}/${id}`,
        'A record was added by something other than Almanac.',
      )
}

function* effectFaults(db: Db): Iterable<Finding> {
  for (const row of db.prepare('SELECT * FROM record_effect').iterate() as Iterable<Digested<EffectRow>>)
    if (effectDigest(row) !== row.digest)
      yield altered(
        `record_effect/${row.sequence}`,
        'An effect of a save was changed by something other than Almanac.',
      )
}

function* outboxFaults(db: Db): Iterable<Finding> {
  const rows = db
    .prepare('SELECT o.*, e.kind AS kind FROM record_outbox o LEFT JOIN record_effect e USING (sequence)')
    .iterate() as Iterable<Digested<StoredOutbox & { kind: string | null }>>
  for (const row of rows)
    if (row.kind !== 'enqueue' || outboxDigest(row) !== row.digest)
      yield altered(
        `record_outbox/${row.id}`,
        'A call in the outbox was changed by something other than Almanac.',
      )
}

function* traceFaults(db: Db): Iterable<Finding> {
  for (const row of db.prepare('SELECT * FROM record_trace').iterate() as Iterable<Digested<TraceRow>>)
    if (traceDigest(row) !== row.digest)
      yield altered(
        `record_trace/${row.id}`,
        'An event of the execution trace was changed by something other than Almanac.',
      )
}

function* eventFaults(db: Db): Iterable<Finding> {
  const columns = `event_id, at, change, record, body, digest,
    change IS NOT NULL AND NOT EXISTS (SELECT 1 FROM record_change c WHERE c.sequence = change) AS isLost`
  const broken = (place: string): Finding =>
    altered(`record_event/${place}`, 'An event was changed by something other than Almanac.')
  type Checked<T> = Iterable<Digested<EventRow & T> & { isLost: number }>
  const waiting = db.prepare(`SELECT id, channel, hash, ${columns} FROM record_event_outbox`)
  for (const row of waiting.iterate() as Checked<{ id: number; channel: string; hash: number }>)
    if (row.isLost === 1 || eventDigest(row, row.channel, row.hash) !== row.digest)
      yield broken(`waiting/${row.id}`)
  const logged = db.prepare(`SELECT log, partition, sequence, ${columns} FROM record_event`)
  for (const row of logged.iterate() as Checked<EventPlace>)
    if (row.isLost === 1 || loggedDigest(row, row) !== row.digest)
      yield broken(`${row.log}/${row.partition}/${row.sequence}`)
  const gaps = db
    .prepare(
      `SELECT l.channel, p.partition FROM record_partition p JOIN record_log l ON l.id = p.log
       WHERE p.head - p.tail <> (SELECT count(*) FROM record_event e WHERE e.log = p.log AND e.partition = p.partition)`,
    )
    .iterate() as Iterable<{ channel: string; partition: number }>
  for (const { channel, partition } of gaps)
    yield altered(
      `record_event/${channel}`,
      `Partition ${partition} of a log of events has a gap: events were removed by something other than Almanac.`,
    )
}

function* ingestFaults(db: Db): Iterable<Finding> {
  for (const row of db.prepare('SELECT * FROM record_ingest_batch').iterate() as Iterable<Digested<BatchRow>>)
    if (batchDigest(row) !== row.digest)
      yield altered(
        `record_ingest/${row.job}`,
        `The results of a bulk job from row ${row.first} on were changed by something other than Almanac.`,
      )
}

function* deliveryFaults(db: Db): Iterable<Finding> {
  const rows = <T>(table: string): Iterable<Digested<T>> =>
    db.prepare(`SELECT * FROM ${table}`).iterate() as Iterable<Digested<T>>
  for (const row of rows<StoredDelivery>('record_delivery'))
    if (deliveryDigest(row) !== row.digest)
      yield altered(`record_delivery/${row.id}`, 'A delivery was changed by something other than Almanac.')
  for (const row of rows<DeliveryBodyRow>('record_delivery_body'))
    if (deliveryBodyDigest(row) !== row.digest)
      yield altered(
        `record_delivery/${row.id}`,
        'The body of a delivery was changed by something other than Almanac.',
      )
  for (const row of rows<DeliveryKeyRow>('record_delivery_key'))
    if (deliveryKeyDigest(row) !== row.digest)
      yield altered(
        `record_delivery/${row.delivery}`,
        'A key by which repeated deliveries are recognised was changed by something other than Almanac.',
      )
}

function* replyFaults(db: Db): Iterable<Finding> {
  for (const row of db.prepare('SELECT * FROM record_reply').iterate() as Iterable<Digested<ReplyRow>>)
    if (replyDigest(row) !== row.digest)
      yield altered(
        `record_reply/${row.caller}`,
        'A reply that is kept for an idempotency key was changed by something other than Almanac.',
      )
}

function* jobFaults(db: Db): Iterable<Finding> {
  for (const row of db.prepare('SELECT * FROM record_job').iterate() as Iterable<Digested<JobRow>>)
    if (jobDigest(row) !== row.digest)
      yield altered(`record_job/${row.id}`, 'A job was changed by something other than Almanac.')
}

function* useFaults(db: Db): Iterable<Finding> {
  for (const row of db.prepare('SELECT * FROM record_use').iterate() as Iterable<Digested<UseRow>>)
    if (useDigest(row) !== row.digest)
      yield altered(
        `record_use/${row.client}`,
        'A use by a client was changed by something other than Almanac.',
      )
}

const found =
  (code: FindingCode) =>
  (subject: string, message: string): Finding =>
    fault(code, subject, message)
const altered = found('integrity.row_altered')
const missing = found('integrity.row_missing')
