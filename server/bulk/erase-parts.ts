// Removes the rows that refer to an erased record from the parts of bulk jobs. Rows keep their place and their line: what
// is stored instead has the same length, and is refused as a row.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErasedBytes, IngestJob, IngestPart, PartStore } from '../ports/ingest.ts'
import type { RecordReader } from '../ports/record-store.ts'
import type { ErasedRows, RecordIdentity } from '../records/index.ts'
import { containsText, erasedText } from './erased-text.ts'
import type { IngestWrites } from './ingest-writes.ts'
import { partBytes } from './part-bytes.ts'
import { partsWith } from './parts-with.ts'
import { readRows } from './read-rows.ts'
import { SourceBytes } from './source-bytes.ts'

const jobsPerRead = 200

export interface PartErasing {
  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T>
  writes: Pick<IngestWrites, 'removePart'>
  store: PartStore
}

/** @throws AlmanacError `storage.*` */
export async function eraseParts(erasing: PartErasing, identity: RecordIdentity): Promise<ErasedRows> {
  const rows = new Map<string, ErasedBytes[]>()
  for await (const job of jobsWithParts(erasing)) {
    const erased = await eraseInJob(erasing, identity, job)
    if (erased.length > 0) rows.set(job.id, erased)
  }
  return rows
}

async function* jobsWithParts({ read }: PartErasing): AsyncIterable<IngestJob> {
  const states = ['open', 'queued', 'processing', 'failed', 'aborted'] as const
  for (let before: string | undefined; ;) {
    const jobs = await read((reader) => reader.ingests({ limit: jobsPerRead, before, states }))
    yield* jobs.filter(({ isPurged }) => !isPurged)
    if (jobs.length < jobsPerRead) return
    before = jobs.at(-1)!.id
  }
}

async function eraseInJob(
  erasing: PartErasing,
  identity: RecordIdentity,
  job: IngestJob,
): Promise<ErasedBytes[]> {
  if (!identity.isConcerned(job.object)) return []
  const { read, writes, store } = erasing
  const parts = await read((reader) => reader.ingestParts(job.id))
  if (job.parts !== null) return eraseRows(store, { job, parts, identity })
  // Where rows begin is known once all parts are there. Close reports which parts are missing.
  for (const part of await partsWith(store, parts, identity.texts))
    if (await writes.removePart(part)) await store.remove(part.job, part.name)
  // It can have been closed, with parts that were found.
  const [now] = await read(async (reader) => [await reader.ingest(job.id)])
  return now === undefined || now.parts === null ? [] : eraseInJob(erasing, identity, now)
}

interface ClosedJob {
  job: IngestJob
  parts: readonly IngestPart[]
  identity: RecordIdentity
}

async function eraseRows(
  store: PartStore,
  { job: { columns, format, object, place }, parts, identity }: ClosedJob,
): Promise<ErasedBytes[]> {
  const isReferring = identity.rowTest(object, columns!)
  if (isReferring === null) return []
  // What was processed is not read again.
  await overwrite(store, parts, { from: startOfPart(parts, place.offset), until: place.offset })
  const erased: ErasedBytes[] = []
  const source = new SourceBytes()
  let begin = 0
  const bytes = source.keep(partBytes(store, parts, place.offset))
  try {
    for await (const row of readRows(format, bytes, columns!, place.lines)) {
      const text = source.take(row.end - begin)
      const at = { from: place.offset + begin, length: text.length }
      begin = row.end
      if ('fault' in row ? !containsText(text, identity.texts) : !isReferring(row)) continue
      await overwrite(store, parts, { from: at.from, until: at.from + at.length }, erasedText(text))
      erased.push(at)
    }
  } catch (error) {
    if (!(error instanceof AlmanacError) || error.code !== 'ingest.row') throw error
    // The job ends here, and what follows is only kept to be sent again.
    const from = place.offset + begin
    const until = parts.reduce((sum, part) => sum + part.bytes, 0)
    if (until > from) {
      await overwrite(store, parts, { from, until })
      erased.push({ from, length: until - from })
    }
  }
  return erased
}

/** Where the part begins in which a byte is. */
function startOfPart(parts: readonly IngestPart[], offset: number): number {
  let start = 0
  for (const { bytes } of parts) {
    if (start + bytes > offset) break
    start += bytes
  }
  return Math.min(start, offset)
}

interface Range {
  from: number
  until: number
}

/** What is written at once. */
const mostBytes = 1024 * 1024

/** @param text what is written; if omitted, bytes that are in no text */
async function overwrite(
  store: PartStore,
  parts: readonly IngestPart[],
  { from, until }: Range,
  text?: Uint8Array,
): Promise<void> {
  let start = 0
  for (const { job, name, bytes } of parts) {
    const end = Math.min(start + bytes, until)
    for (let at = Math.max(start, from); at < end;) {
      const to = Math.min(end, at + mostBytes)
      const written = text?.subarray(at - from, to - from) ?? erasedText(Buffer.alloc(to - at))
      await store.overwrite(job, name, at - start, written)
      at = to
    }
    start += bytes
  }
}
