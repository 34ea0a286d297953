// Counts records and values.
import type { LostReferences, RecordFacts } from '../../../ports/record-facts.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import { all, one, pairs, type Db } from '../db.ts'
import { boundRecords, generationsOfRecords, keptValues } from './bindings.ts'
import { lockRecords } from './records-file.ts'
import { mappedTable } from './table-map.ts'
import { usesOfObject } from './uses.ts'

export function recordFacts(db: Db): RecordFacts {
  const countOf = (sql: string): number => one<{ count: number }>(db, sql)!.count
  const columnOf = (object: ObjectId, field: FieldId): { table: string; value: string } | null => {
    const table = mappedTable(db, object)
    const column = table?.columns.find(({ id }) => id === field)
    return table === null || column === undefined ? null : { table: table.name, value: column.value }
  }
  return {
    any: () => one(db, 'SELECT 1 FROM record_table LIMIT 1') !== undefined,
    anyJob: () => one(db, 'SELECT 1 FROM record_job LIMIT 1') !== undefined,
    anyIngest: () => one(db, 'SELECT 1 FROM record_ingest LIMIT 1') !== undefined,
    unfinishedIngests: () =>
      pairs<string, number>(
        db,
        `SELECT state, count(*) FROM record_ingest WHERE state IN ('open', 'queued', 'processing') GROUP BY state`,
      ),
    anyTrace: () => one(db, 'SELECT 1 FROM record_trace LIMIT 1') !== undefined,
    anyDelivery: () => one(db, 'SELECT 1 FROM record_delivery LIMIT 1') !== undefined,
    countUndispatched: (endpoint) =>
      one<{ count: number }>(
        db,
        `SELECT (SELECT count(*) FROM record_delivery WHERE state = 'pending' AND endpoint = @endpoint)
         + (SELECT count(*) FROM record_delivery WHERE state = 'held' AND endpoint = @endpoint)
         + (SELECT count(*) FROM record_delivery WHERE state = 'dispatching' AND endpoint = @endpoint) AS count`,
        { endpoint },
      )!.count,
    anyCall: () => one(db, 'SELECT 1 FROM record_outbox LIMIT 1') !== undefined,
    anyWaitingEvent: () => one(db, 'SELECT 1 FROM record_event_outbox LIMIT 1') !== undefined,
    anyEvent: () => one(db, 'SELECT 1 FROM record_log LIMIT 1') !== undefined,
    subscriptionsTo: (channel) =>
      all<{ place: string }>(
        db,
        `SELECT owner || '/' || name AS place FROM record_subscription WHERE channel = ? ORDER BY owner, name`,
        channel,
      ).map(({ place }) => place),
    count: (object) => {
      const table = mappedTable(db, object)
      return table === null ? 0 : countOf(`SELECT count(*) AS count FROM ${table.name}`)
    },
    countValues: (object, field) => {
      const column = columnOf(object, field)
      return column === null ? 0 : countOf(`SELECT count(${column.value}) AS count FROM ${column.table}`)
    },
    countEach: (object, field, values) => {
      const column = columnOf(object, field)
      if (column === null) return new Map()
      const { table, value } = column
      const text = `SELECT ${value}, count(*) FROM ${table} WHERE ${value} IN (SELECT value FROM json_each(?)) GROUP BY ${value}`
      return pairs<string, number>(db, text, JSON.stringify(values))
    },
    lostReferences: (object, field, target) => {
      const column = columnOf(object, field)
      return column === null
        ? { count: 0, records: [] }
        : lostReferences(db, column, mappedTable(db, target)?.name)
    },
    boundGenerations: () => generationsOfRecords(db),
    boundRecords: (before) => boundRecords(db, before),
    keptValues: (object, field) => {
      const table = mappedTable(db, object)
      const column = table?.columns.find(({ id, bound }) => bound && id === field)
      return table === null || column === undefined ? [] : keptValues(db, table.name, column.binding)
    },
    uses: (object) => usesOfObject(db, object),
    countDuplicates: (object, field) => {
      const column = columnOf(object, field)
      if (column === null) return 0
      const { table, value } = column
      return countOf(
        `SELECT count(*) AS count FROM
         (SELECT 1 FROM ${table} WHERE ${value} IS NOT NULL GROUP BY ${value} HAVING count(*) > 1)`,
      )
    },
  }
}

/** Named in a finding. */
const maxNamed = 10

function lostReferences(
  db: Db,
  { table, value }: { table: string; value: string },
  target: string | undefined,
): LostReferences {
  const isLost =
    target === undefined
      ? `${value} IS NOT NULL`
      : `${value} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${target} WHERE ${target}.id = referrer.${value})`
  const from = `FROM ${table} AS referrer WHERE ${isLost}`
  const { count } = one<{ count: number }>(db, `SELECT count(*) AS count ${from}`)!
  const found = all<{ id: string }>(db, `SELECT id ${from} ORDER BY id LIMIT ${maxNamed}`)
  return { count, records: found.map(({ id }) => id) }
}

/** Facts that stay true until the transaction ends, because it keeps others from saving records. */
export function lockedRecordFacts(db: Db, facts: RecordFacts): RecordFacts {
  let isLocked = false
  const locked = <A extends unknown[], T>(fact: (...args: A) => T): ((...args: A) => T) => {
    return (...args) => {
      if (!isLocked) lockRecords(db)
      isLocked = true
      return fact(...args)
    }
  }
  return {
    any: locked(facts.any),
    anyJob: locked(facts.anyJob),
    anyIngest: locked(facts.anyIngest),
    unfinishedIngests: locked(facts.unfinishedIngests),
    anyTrace: locked(facts.anyTrace),
    anyCall: locked(facts.anyCall),
    anyDelivery: locked(facts.anyDelivery),
    countUndispatched: locked(facts.countUndispatched),
    anyWaitingEvent: locked(facts.anyWaitingEvent),
    anyEvent: locked(facts.anyEvent),
    subscriptionsTo: locked(facts.subscriptionsTo),
    count: locked(facts.count),
    countValues: locked(facts.countValues),
    countEach: locked(facts.countEach),
    countDuplicates: locked(facts.countDuplicates),
    lostReferences: locked(facts.lostReferences),
    boundGenerations: locked(facts.boundGenerations),
    boundRecords: locked(facts.boundRecords),
    keptValues: locked(facts.keptValues),
    uses: locked(facts.uses),
  }
}
