// The execution trace as it is stored, in the order of time.
import type { TraceKind } from '#kernel/trace/index.ts'
import type { TraceEvent, TraceFilter, TracePlace, TraceTransactor } from '../../../ports/trace.ts'
import { all, run, type Db } from '../db.ts'
import { rowDigest } from './row-digest.ts'

/** Each index has the columns of the other filters, so that rows which they exclude are not read. */
export const traceTables = `
CREATE TABLE record_trace (
  at TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  correlation TEXT NOT NULL,
  subject TEXT NOT NULL,
  record TEXT NOT NULL,
  failed INTEGER NOT NULL,
  body TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (at, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_trace_correlation ON record_trace (correlation, at, id, kind, failed) WHERE correlation <> '';
CREATE INDEX record_trace_subject ON record_trace (subject, at, id, kind, failed) WHERE subject <> '';
CREATE INDEX record_trace_record ON record_trace (record, at, id, kind, failed) WHERE record <> '';
CREATE INDEX record_trace_kind ON record_trace (kind, at, id, failed);
CREATE INDEX record_trace_failed ON record_trace (at, id) WHERE failed = 1;
`

export interface TraceRow {
  at: string
  id: string
  kind: TraceKind
  correlation: string
  subject: string
  record: string
  failed: number
  body: string
}

type TraceBody = Pick<TraceEvent, 'actor' | 'durationMs' | 'facts'>

export function traceStatements(db: Db): TraceTransactor {
  return {
    trace: async (filter, limit, before) => readTrace(db, filter, limit, before),
    appendTrace: async (events) => {
      for (const event of events) insert(db, rowOf(event))
    },
    purgeTrace: async (before, limit) =>
      run(
        db,
        `DELETE FROM record_trace WHERE (at, id) IN
         (SELECT at, id FROM record_trace WHERE at < @before ORDER BY at, id LIMIT @limit)`,
        { before, limit },
      ),
  }
}

function rowOf(event: TraceEvent): TraceRow {
  const { at, id, kind, correlationId, subject, record, isFailed, actor, durationMs, facts } = event
  return {
    ...{ at, id, kind, correlation: correlationId ?? '', subject: subject ?? '', record: record ?? '' },
    ...{ failed: isFailed ? 1 : 0, body: JSON.stringify({ actor, durationMs, facts }) },
  }
}

function eventOf({ at, id, kind, correlation, subject, record, failed, body }: TraceRow): TraceEvent {
  const { actor, durationMs, facts } = JSON.parse(body) as TraceBody
  return {
    ...{ at, id, kind, correlationId: correlation || null, subject: subject || null },
    ...{ record: record || null, isFailed: failed === 1, actor, durationMs, facts },
  } as TraceEvent
}

export function traceDigest({ at, id, kind, correlation, subject, record, failed, body }: TraceRow): string {
  return rowDigest(at, id, kind, correlation, subject, record, failed, body)
}

function insert(db: Db, row: TraceRow): void {
  run(
    db,
    `INSERT INTO record_trace (at, id, kind, correlation, subject, record, failed, body, digest)
     VALUES (@at, @id, @kind, @correlation, @subject, @record, @failed, @body, @digest)`,
    { ...row, digest: traceDigest(row) },
  )
}

/** Only the conditions that a filter has: each partial index serves the queries that contain its condition. */
function readTrace(db: Db, filter: TraceFilter, limit: number, before?: TracePlace): TraceEvent[] {
  const { kinds, correlationId, subject, record, isFailed, since, until } = filter
  const hasKey = [kinds, correlationId, subject, record].some((each) => each !== undefined)
  const conditions = [
    kinds !== undefined &&
      (kinds.length === 1 ? 'kind = @kinds' : 'kind IN (SELECT value FROM json_each(@kinds))'),
    correlationId !== undefined && `correlation = @correlationId AND correlation <> ''`,
    subject !== undefined && `subject = @subject AND subject <> ''`,
    record !== undefined && `record = @record AND record <> ''`,
    // With a more selective condition, the index of all failed events is not the one to read.
    isFailed !== undefined && `${hasKey ? '+' : ''}failed = ${isFailed ? 1 : 0}`,
    since !== undefined && 'at >= @since',
    until !== undefined && 'at < @until',
    // The first condition is redundant, and bounds what is read.
    before !== undefined && 'at <= @beforeAt AND (at < @beforeAt OR id < @beforeId)',
  ].filter((condition) => condition !== false)
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const rows = all<TraceRow>(
    db,
    // The inner query reads an index alone.
    `SELECT at, id, kind, correlation, subject, record, failed, body FROM record_trace
     WHERE (at, id) IN (SELECT at, id FROM record_trace ${where} ORDER BY at DESC, id DESC LIMIT @limit)
     ORDER BY at DESC, id DESC`,
    {
      ...{ correlationId, subject, record, since, until, limit },
      kinds: kinds?.length === 1 ? kinds[0] : JSON.stringify(kinds ?? []),
      ...{ beforeAt: before?.at, beforeId: before?.id },
    },
  )
  return rows.map(eventOf)
}
