// Compares the logs of an org with what was committed: each write has exactly its events, in order, without a gap.
import Database from 'better-sqlite3'
import { orgFile } from '../../../server/compose/org-folder.ts'
import { recordsFile } from '../../../server/storage/sqlite/records/records-file.ts'

interface EventRow {
  channel: string
  partition: number
  sequence: number
  event_id: string
  change: number | null
}

/** Over an org that no process has open. */
export function eventFaults(dir: string): string[] {
  const db = new Database(recordsFile(orgFile(dir)), { readonly: true })
  try {
    const faults: string[] = []
    const waiting = db.prepare('SELECT count(*) FROM record_event_outbox').pluck().get() as number
    if (waiting > 0) faults.push(`${waiting} events were never numbered`)
    const events = db
      .prepare(
        `SELECT l.channel, e.partition, e.sequence, e.event_id, e.change FROM record_event e
         JOIN record_log l ON l.id = e.log ORDER BY e.log, e.partition, e.sequence`,
      )
      .all() as EventRow[]
    for (const [place, rows] of Map.groupBy(events, ({ channel, partition }) => `${channel} ${partition}`))
      for (const [at, { sequence }] of rows.entries())
        if (sequence !== at + 1) faults.push(`${place} has ${sequence} in place of ${at + 1}`)
    const ids = Map.groupBy(events, ({ event_id: id }) => id)
    for (const [id, rows] of ids) if (rows.length > 1) faults.push(`${id} is there ${rows.length} times`)
    const changes = db.prepare('SELECT sequence, record FROM record_change').all() as {
      sequence: number
      record: string
    }[]
    const byChange = Map.groupBy(events, ({ change }) => change)
    for (const { sequence } of changes) {
      const count = byChange.get(sequence)?.length ?? 0
      if (count !== 1) faults.push(`change ${sequence} has ${count} events`)
    }
    const recordOf = new Map(changes.map(({ sequence, record }) => [sequence, record]))
    const last = new Map<string, number>()
    for (const { change } of events) {
      const record = change === null ? undefined : recordOf.get(change)
      if (record === undefined) continue
      if ((last.get(record) ?? 0) > change!) faults.push(`the changes of ${record} are out of order`)
      last.set(record, change!)
    }
    return faults
  } finally {
    db.close()
  }
}

/** The ids of the events of a channel without changes. */
export function publishedIds(dir: string): Set<string> {
  const db = new Database(recordsFile(orgFile(dir)), { readonly: true })
  try {
    return new Set(
      db.prepare('SELECT event_id FROM record_event WHERE change IS NULL').pluck().all() as string[],
    )
  } finally {
    db.close()
  }
}

/** `<record> <version>` of each write that is in the history; of a deletion, `<record> deleted`. */
export function committedWrites(dir: string): Set<string> {
  const db = new Database(recordsFile(orgFile(dir)), { readonly: true })
  try {
    const rows = db.prepare('SELECT record, version, operation FROM record_change').all() as {
      record: string
      version: number
      operation: string
    }[]
    return new Set(
      rows.map(
        ({ record, version, operation }) => `${record} ${operation === 'delete' ? 'deleted' : version}`,
      ),
    )
  } finally {
    db.close()
  }
}
