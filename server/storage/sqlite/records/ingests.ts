// Jobs of bulk ingest, the names of their parts, and what has become of their rows.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type {
  IngestBatch,
  IngestJob,
  IngestPart,
  IngestReader,
  IngestStep,
  IngestTransactor,
} from '../../../ports/ingest.ts'
import { all, one, run, type Db } from '../db.ts'
import { rowDigest } from './row-digest.ts'

export const ingestTables = `
CREATE TABLE record_ingest (
  id TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX record_ingest_waiting ON record_ingest (id) WHERE state IN ('queued', 'processing');
CREATE TABLE record_ingest_part (
  job TEXT NOT NULL,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (job, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE record_ingest_batch (
  job TEXT NOT NULL,
  first INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  outcomes TEXT NOT NULL,
  source BLOB NOT NULL,
  digest TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX record_ingest_batch_first ON record_ingest_batch (job, first);
CREATE INDEX record_ingest_batch_failed ON record_ingest_batch (job, first) WHERE failed > 0;
`

/** Since the ninth version of the file. */
export const unfinishedIngests = `
CREATE INDEX record_ingest_unfinished ON record_ingest (state, id) WHERE state IN ('open', 'queued', 'processing');
`

interface IngestRow {
  id: string
  state: string
  body: string
}

interface PartRow {
  job: string
  number: number
  name: string
  bytes: number
  sha256: string
}

export interface BatchRow {
  job: string
  first: number
  failed: number
  outcomes: string
  source: Uint8Array
}

export const batchDigest = ({ job, first, failed, outcomes, source }: BatchRow): string =>
  rowDigest(job, first, failed, outcomes, Buffer.from(source).toString('base64'))

export function ingestStatements(db: Db): IngestTransactor {
  const putIngest = (job: IngestJob): void => {
    const row = { id: job.id, state: job.state, body: JSON.stringify(job) }
    run(db, 'INSERT OR REPLACE INTO record_ingest (id, state, body) VALUES (@id, @state, @body)', row)
  }
  return {
    ...ingestReads(db),
    putIngest: async (job) => putIngest(job),
    putIngestPart: async ({ job, number, name, bytes, digest: sha256 }) => {
      const row = { job, number, name, bytes, sha256 }
      run(
        db,
        `INSERT OR REPLACE INTO record_ingest_part (job, number, name, bytes, sha256)
         VALUES (@job, @number, @name, @bytes, @sha256)`,
        row,
      )
    },
    removeIngestPart: async ({ job, number, name }) => {
      run(db, 'DELETE FROM record_ingest_part WHERE job = ? AND number = ? AND name = ?', job, number, name)
    },
    advanceIngest: async (step) => {
      const [job] = jobsOf(db, 'WHERE id = ?', step.job)
      if (job === undefined || job.state !== 'processing' || !isAt(job, step))
        throw new AlmanacError(
          'ingest.state',
          `The job ${step.job} was continued or ended by another process.`,
        )
      putIngest(advanced(job, step))
      addBatch(db, step.batch)
    },
    emptyIngest: async (job) => {
      run(db, 'DELETE FROM record_ingest_part WHERE job = ?', job)
      run(db, 'DELETE FROM record_ingest_batch WHERE job = ?', job)
    },
  }
}

const isAt = ({ place, erased }: IngestJob, step: IngestStep): boolean =>
  place.rows === step.rows && erased.length === step.erased

function advanced(job: IngestJob, { place, state, at, batch }: IngestStep): IngestJob {
  const counts = { created: 0, changed: 0, unchanged: 0, deleted: 0, failed: 0 }
  for (const [, , ended] of batch.outcomes) counts[ended] += 1
  const next = { ...job, place, state }
  for (const [ended, count] of Object.entries(counts)) next[ended as keyof typeof counts] += count
  return state === 'processing' ? next : { ...next, rowsTotal: place.rows, finishedAt: at }
}

/** An empty batch ends a job whose last row was in the batch before. */
function addBatch(db: Db, { job, first, outcomes, source }: IngestBatch): void {
  if (outcomes.length === 0) return
  const failed = outcomes.filter(([, , ended]) => ended === 'failed').length
  const row = { job, first, failed, outcomes: JSON.stringify(outcomes), source }
  run(
    db,
    `INSERT INTO record_ingest_batch (job, first, failed, outcomes, source, digest)
     VALUES (@job, @first, @failed, @outcomes, @source, @digest)`,
    { ...row, digest: batchDigest(row) },
  )
}

/** Of a job that an earlier version has written. */
type EarlierJob = Omit<IngestJob, 'erased' | 'fields'>
const completed = (job: EarlierJob): IngestJob => ({ erased: [], fields: null, ...job })

const jobsOf = (db: Db, clause: string, ...values: unknown[]): IngestJob[] =>
  all<IngestRow>(db, `SELECT id, state, body FROM record_ingest ${clause}`, ...values).map(({ body }) =>
    completed(JSON.parse(body) as EarlierJob),
  )

function ingestReads(db: Db): IngestReader {
  return {
    ingest: async (id) => jobsOf(db, 'WHERE id = ?', id)[0],
    ingests: async ({ limit, before = null, createdBy = null, states, object = null, isFailed = false }) =>
      jobsOf(
        db,
        `WHERE (? IS NULL OR id < ?) AND (? IS NULL OR body ->> 'createdBy' = ?)
         AND (? IS NULL OR state IN (SELECT value FROM json_each(?)))
         AND (? IS NULL OR body ->> 'object' = ?)
         AND (? = 0 OR state = 'failed' OR body ->> 'failed' > 0) ORDER BY id DESC LIMIT ?`,
        ...[before, before, createdBy, createdBy],
        ...Array<string | null>(2).fill(states === undefined ? null : JSON.stringify(states)),
        ...[object, object, isFailed ? 1 : 0],
        limit,
      ),
    countUnfinishedIngests: async (createdBy) =>
      one<{ count: number }>(
        db,
        `SELECT count(*) AS count FROM record_ingest
         WHERE state IN ('open', 'queued', 'processing') AND body ->> 'createdBy' = ?`,
        createdBy,
      )!.count,
    waitingIngests: async () => jobsOf(db, `WHERE state IN ('queued', 'processing') ORDER BY id`),
    ingestParts: async (job) =>
      all<PartRow>(
        db,
        'SELECT job, number, name, bytes, sha256 FROM record_ingest_part WHERE job = ? ORDER BY number',
        job,
      ).map(({ sha256, ...part }): IngestPart => ({ ...part, digest: sha256 })),
    ingestBatches: async (job, { after, limit, isFailed }) =>
      all<BatchRow>(
        db,
        `SELECT job, first, failed, outcomes, source FROM record_ingest_batch
         WHERE job = ? AND first > ? ${isFailed ? 'AND failed > 0' : ''} ORDER BY first LIMIT ?`,
        ...[job, after, limit],
      ).map(({ first, outcomes, source }): IngestBatch => ({
        ...{ job, first, source },
        outcomes: JSON.parse(outcomes) as IngestBatch['outcomes'],
      })),
  }
}
