// Jobs over records, and the fields that they have to fill.
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { RecordJob, RecordJobTransactor } from '../../../ports/record-jobs.ts'
import type { RecordTable } from '../../../ports/record-table.ts'
import { all, one, run, type Db } from '../db.ts'
import { rowDigest } from './row-digest.ts'

export interface JobRow {
  id: string
  state: string
  body: string
}

interface JobParts {
  countOf(object: ObjectId): number
  indexWords(object: ObjectId, record: string): void
}

export function jobStatements(db: Db, { countOf, indexWords }: JobParts): RecordJobTransactor {
  const jobsOf = (clause: string, ...values: unknown[]): RecordJob[] =>
    all<JobRow>(db, `SELECT id, state, body FROM record_job ${clause}`, ...values).map(jobOf)
  const unfinished = (
    { id, columns }: RecordTable,
    kind: 'bound' | 'searched',
    state: 'filled' | 'worded',
  ): FieldId[] => {
    const wanted = columns.filter((column) => column[kind]).map((column) => column.id)
    const finished = finishedFields(db, id, `${kind} = 1 AND ${state} = 1`)
    const missing = wanted.filter((field) => !finished.has(field))
    return missing.length === 0 || countOf(id) === 0 ? [] : missing
  }
  return {
    job: async (id) => jobsOf('WHERE id = ?', id)[0],
    // Automations that wait for their turn would hide the jobs that users have started.
    jobs: async (limit, before) =>
      jobsOf(
        `WHERE (state = 'failed' OR body ->> 'kind' NOT IN ('automation', 'operation')) AND (? IS NULL OR id < ?)
         ORDER BY id DESC LIMIT ?`,
        ...[before ?? null, before ?? null, limit],
      ),
    openJobs: async () => jobsOf(`WHERE state IN ('queued', 'processing') ORDER BY id`),
    jobsWithOutcomes: async () =>
      jobsOf(
        `WHERE body ->> 'kind' = 'operation' OR body ->> '$.automation.outcomes' IS NOT NULL ORDER BY id`,
      ),
    unfilled: async (table) => unfinished(table, 'bound', 'filled'),
    unindexed: async (table) => unfinished(table, 'searched', 'worded'),
    indexWords: async (object, record) => indexWords(object, record),
    count: async (object) => countOf(object),
    putJob: async (job) => {
      const row = { id: job.id, state: job.state, body: JSON.stringify(job) }
      run(
        db,
        `INSERT OR REPLACE INTO record_job (id, state, body, digest) VALUES (@id, @state, @body, @digest)`,
        { ...row, digest: jobDigest(row) },
      )
    },
    removeJob: async (id) => void run(db, 'DELETE FROM record_job WHERE id = ?', id),
    removeOperations: async (before) =>
      void run(
        db,
        `DELETE FROM record_job WHERE state = 'waiting' AND id < @id
         AND body ->> 'kind' = 'operation' AND body ->> 'createdAt' < @before
         AND body ->> '$.operation.delivery' IS NULL`,
        { id: firstIdOf(before), before },
      ),
    markFilled: async ({ object, fields, searched }) => {
      const mark = (state: 'filled' | 'worded', of: readonly FieldId[]): unknown =>
        run(
          db,
          `UPDATE record_column SET ${state} = 1 WHERE field IN (SELECT value FROM json_each(?))
           AND number = (SELECT number FROM record_table WHERE object = ?)`,
          JSON.stringify(of),
          object,
        )
      mark('filled', fields)
      mark('worded', searched)
    },
    markUnfilled: async (object, fields) =>
      void run(
        db,
        `UPDATE record_column SET filled = 0 WHERE bound = 1 AND field IN (SELECT value FROM json_each(?))
         AND number = (SELECT number FROM record_table WHERE object = ?)`,
        JSON.stringify(fields),
        object,
      ),
    filledUpTo: async () => {
      const { filled } = one<{ filled: number }>(db, 'SELECT filled FROM record_org')!
      return filled === 0 ? null : filled
    },
    noteFilled: async (generation) => void run(db, 'UPDATE record_org SET filled = ?', generation),
  }
}

/** Ids begin with the time at which they were made, so that the index finds the old ones. */
function firstIdOf(instant: string): string {
  const hex = Date.parse(instant).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

function finishedFields(db: Db, object: ObjectId, condition: string): Set<FieldId> {
  const rows = all<{ field: FieldId }>(
    db,
    `SELECT field FROM record_column JOIN record_table USING (number)
     WHERE object = ? AND ${condition}`,
    object,
  )
  return new Set(rows.map(({ field }) => field))
}

/** Jobs of earlier versions follow no record, run nothing, know no archived values, count nothing and handle neither calls nor deliveries. */
function jobOf({ body }: JobRow): RecordJob {
  const job = JSON.parse(body) as Omit<RecordJob, Later> & Partial<Pick<RecordJob, Later>>
  return {
    ...job,
    source: job.source ?? null,
    automation: job.automation ?? null,
    operation: job.operation ?? null,
    keepsArchived: job.keepsArchived ?? false,
    counting: job.counting ?? null,
    part: job.part ?? null,
    outbox: job.outbox ?? null,
    deliveries: job.deliveries ?? null,
  }
}

/** What earlier versions did not write. */
type Later =
  'source' | 'automation' | 'operation' | 'keepsArchived' | 'counting' | 'part' | 'outbox' | 'deliveries'

export function jobDigest({ id, state, body }: JobRow): string {
  return rowDigest(id, state, body)
}
