// Replaces erased values in the rows of bulk jobs, which are stored as they were sent.
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { IngestFormat, IngestOutcome } from '../../../ports/ingest.ts'
import type { IngestRewrite } from '../../../ports/record-erasures.ts'
import { all, run, type Db } from '../db.ts'
import { batchDigest, type BatchRow } from './ingests.ts'

interface FoundBatch extends BatchRow {
  number: number
  digest: string
  format: IngestFormat
}

/** Batches with a row of one of the records, or with a failed row. */
const foundSql = `SELECT b.rowid AS number, b.job, b.first, b.failed, b.outcomes, b.source, b.digest,
    (SELECT body ->> 'format' FROM record_ingest WHERE id = b.job) AS format
  FROM record_ingest_batch b
  WHERE b.failed > 0 OR EXISTS (SELECT 1 FROM json_each(?) WHERE instr(b.outcomes, value) > 0)`

export function rewriteIngests(db: Db, records: ReadonlySet<string>, rewrite: IngestRewrite): void {
  for (const batch of all<FoundBatch>(db, foundSql, JSON.stringify([...records]))) {
    const { number, digest, format, ...row } = batch
    const next = rewritten(row, format, records, rewrite)
    if (next === null) continue
    const nextDigest = batchDigest(row) === digest ? batchDigest(next) : ''
    const sql = 'UPDATE record_ingest_batch SET outcomes = ?, source = ?, digest = ? WHERE rowid = ?'
    run(db, sql, next.outcomes, next.source, nextDigest, number)
  }
}

/** Null if nothing of it has changed. */
function rewritten(
  batch: BatchRow,
  format: IngestFormat,
  records: ReadonlySet<string>,
  rewrite: IngestRewrite,
): BatchRow | null {
  const source = zstdDecompressSync(batch.source)
  const rows: Uint8Array[] = []
  let [at, isChanged] = [0, false]
  const outcomes = (JSON.parse(batch.outcomes) as IngestOutcome[]).map((outcome): IngestOutcome => {
    const [line, bytes] = outcome
    const text = source.subarray(at, at + bytes)
    at += bytes
    const isFailed = outcome[2] === 'failed'
    const isOfRecord = !isFailed && records.has(outcome[3])
    if (!isFailed && !isOfRecord) {
      rows.push(text)
      return outcome
    }
    const before = text.toString()
    const after = rewrite.row(before, format, isOfRecord)
    const next = after === before ? text : Buffer.from(after)
    rows.push(next)
    const message = isFailed ? rewrite.message(outcome[4]) : ''
    if (after !== before || (isFailed && message !== outcome[4])) isChanged = true
    return isFailed
      ? [line, next.length, 'failed', outcome[3], message]
      : [line, next.length, outcome[2], outcome[3]]
  })
  if (!isChanged) return null
  return { ...batch, outcomes: JSON.stringify(outcomes), source: zstdCompressSync(Buffer.concat(rows)) }
}
