// What clients do with bulk jobs: they create one, upload its parts, close it, follow it, and read what became of each row.
import { createHash } from 'node:crypto'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { objectKeyOf } from '#kernel/components/object/object-named.ts'
import type { ObjectId, RecordSnapshot } from '#kernel/records/index.ts'
import type { RecordAccess } from '../access/index.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type {
  IngestColumn,
  IngestFormat,
  IngestJob,
  IngestOperation,
  IngestPart,
  IngestState,
  PartStore,
} from '../ports/ingest.ts'
import type { RecordReader } from '../ports/record-store.ts'
import { openColumns, type AccessOf, type Records, type RecordSnapshots } from '../records/index.ts'
import { readHeader } from './csv-rows.ts'
import { hasEnded, ingestNotFound, mostParts, requireOpen, type IngestWrites } from './ingest-writes.ts'
import { requireColumns } from './json-rows.ts'
import { partBytes } from './part-bytes.ts'
import { requireUtf8 } from './require-utf8.ts'
import { resultLines, type ResultQuery } from './results.ts'
import { sentAgain } from './sent-again.ts'

/** The caller of a request, and the state that the request is pinned to. */
export interface IngestCaller {
  user: string
  client: string | null
  /** Whether the jobs of other users are shown. */
  isOperator: boolean
  generation: number
  scopePath: ScopePath
  correlationId: string
}

export interface IngestRequest {
  object: string
  operation: IngestOperation
  format: IngestFormat
  externalId?: string | undefined
  columns?: readonly IngestColumn[] | undefined
  /** Whether the first row is a header; true without `columns`. */
  hasHeader?: boolean | undefined
}

export interface IngestListing {
  limit: number
  before?: string | undefined
  states?: readonly IngestState[] | undefined
  /** Key or alias. */
  object?: string | undefined
  isFailed?: boolean | undefined
}

export interface SentPart {
  number: number
  bytes: AsyncIterable<Uint8Array>
  /** Called after the last byte. @throws AlmanacError `ingest.digest` */
  verify(): void
}

export interface Ingests {
  /** @throws AlmanacError `object.not_found`, `virtual.not_stored`, `ingest.columns`, `limit.open_jobs` */
  create(by: IngestCaller, request: IngestRequest): Promise<IngestJob>
  /** @throws AlmanacError `ingest.not_found`, `ingest.state`, `ingest.digest`, `ingest.parts`, `storage.*` */
  putPart(by: IngestCaller, id: string, part: SentPart): Promise<IngestPart>
  /** @param parts how many it has @throws AlmanacError `ingest.not_found`, `ingest.state`, `ingest.parts`, `ingest.columns`, `ingest.row` */
  close(by: IngestCaller, id: string, parts: number): Promise<IngestJob>
  /** @throws AlmanacError `ingest.not_found` */
  get(by: IngestCaller, id: string): Promise<IngestJob>
  /** Key of the object of a job; null if it was removed, or if the caller cannot see it. */
  objectOf(by: IngestCaller, job: IngestJob): string | null
  /** The newest first. @throws AlmanacError `object.not_found` */
  list(by: IngestCaller, page: IngestListing): Promise<IngestJob[]>
  /** @throws AlmanacError `ingest.not_found` */
  abort(by: IngestCaller, id: string): Promise<IngestJob>
  /** A line for each row that was processed, in the order of the rows. @throws AlmanacError `ingest.not_found`, `ingest.state` */
  results(by: IngestCaller, id: string, query: ResultQuery): Promise<AsyncIterable<string>>
  /** Rows as they were sent: those that failed, or those that were not processed. @throws as `results` */
  rows(by: IngestCaller, id: string, of: 'failed' | 'unprocessed'): Promise<AsyncIterable<Uint8Array>>
}

export interface IngestDeps {
  writes: IngestWrites
  parts: PartStore
  snapshots: RecordSnapshots
  clock: Clock
  ids: IdGenerator
  read<T>(work: (reader: RecordReader) => Promise<T>): Promise<T>
  accessOf: AccessOf
  /** What its client then uses: an object by a name, and columns. */
  uses: Pick<Records, 'noteIngestObject' | 'noteIngestColumns'>
}

export function createIngests(deps: IngestDeps): Ingests {
  const { writes, parts, read, ids, clock, uses } = deps
  const jobOf = async (by: IngestCaller, id: string): Promise<IngestJob> => {
    const job = await read((reader) => reader.ingest(id))
    // A job of another user does not exist for the caller.
    if (job === undefined || (job.createdBy !== by.user && !by.isOperator)) throw ingestNotFound(id)
    return job
  }
  /** Rows can contain what an operator cannot see in records, and are saved with the rights of the creator. */
  const ownJob = async (by: IngestCaller, id: string): Promise<IngestJob> => {
    const job = await jobOf(by, id)
    if (job.createdBy !== by.user) throw ingestNotFound(id)
    return job
  }
  const rightsOf = (by: IngestCaller): { present: RecordSnapshot; access: RecordAccess } => ({
    present: deps.snapshots.at(by.generation),
    access: deps.accessOf(by.user, by.generation, by.scopePath),
  })
  /** Of a key or an alias. */
  const objectId = (by: IngestCaller, name: string): ObjectId => {
    const { present, access } = rightsOf(by)
    const key = objectKeyOf(present.view, name)
    const id = key === undefined ? undefined : present.names.objectId(key)
    if (id === undefined || !access.canSeeObject(key!))
      throw new AlmanacError('object.not_found', `The object "${name}" does not exist.`)
    return id
  }
  const partsOf = (id: string): Promise<IngestPart[]> => read((reader) => reader.ingestParts(id))
  return {
    create: async (by, { object, operation, format, externalId = null, columns = null, hasHeader }) => {
      const { present, access } = rightsOf(by)
      const id = objectId(by, object)
      const job = newIngest(ids.uuid(), clock.now(), by, {
        ...{ object: id, operation, format, externalId },
        ...{ columns: format === 'jsonl' ? requireColumns(columns) : columns },
        hasHeader: headerRule({ format, columns, hasHeader }),
      })
      if (columns !== null) openColumns({ present, access }, { ...job, columns })
      await writes.create(job)
      uses.noteIngestObject(by, object)
      return job
    },
    putPart: async (by, id, part) => {
      await ownJob(by, id).then(requireOpen)
      const stored = await storePart(parts, id, part)
      try {
        const replaced = await writes.addPart(stored)
        if (replaced !== null) await parts.remove(id, replaced)
        return stored
      } catch (error) {
        await parts.remove(id, stored.name)
        throw error
      }
    },
    close: async (by, id, count) => {
      const job = await ownJob(by, id)
      if (job.state !== 'open' && job.parts === count) return job
      requireOpen(job)
      const stored = await partsOf(id)
      requireParts(stored, count)
      await requireUtf8(partBytes(parts, stored, 0))
      const header = job.hasHeader ? await headerOf(parts, stored) : null
      const columns = job.columns ?? header!.columns
      if (header !== null) requireLength(header.columns, columns)
      const { fields } = openColumns(rightsOf(by), { ...job, columns })
      const place = { offset: header?.end ?? 0, rows: 0, lines: header?.endLine ?? 0 }
      const closed = await writes.close({ id, parts: stored, columns, fields, place })
      uses.noteIngestColumns({ client: job.client, generation: by.generation }, { ...job, columns })
      return closed
    },
    get: jobOf,
    objectOf: (by, { object }) => {
      const { present, access } = rightsOf(by)
      const key = present.names.objectKey(object)
      return key !== undefined && access.canSeeObject(key) ? key : null
    },
    list: async (by, { object, ...listing }) => {
      const page = { ...listing, object: object === undefined ? undefined : objectId(by, object) }
      return read((reader) => reader.ingests(by.isOperator ? page : { ...page, createdBy: by.user }))
    },
    abort: async (by, id) => {
      const job = await jobOf(by, id)
      return hasEnded(job) ? job : writes.end({ id, state: 'aborted', problem: null })
    },
    results: async (by, id, query) => resultLines(read, requireResults(await ownJob(by, id)), query),
    rows: async (by, id, of) => {
      const job = requireResults(await ownJob(by, id))
      if (of === 'unprocessed' && !hasEnded(job))
        throw new AlmanacError(
          'ingest.state',
          `The job is ${job.state}: which rows are left is known at its end.`,
        )
      return sentAgain({ read, store: parts, parts: await partsOf(id) }, job, of)
    },
  }
}

type Declared = Pick<IngestJob, 'object' | 'operation' | 'format' | 'externalId' | 'columns' | 'hasHeader'>

function newIngest(
  id: string,
  now: string,
  { user, client, correlationId, scopePath }: IngestCaller,
  declared: Declared,
): IngestJob {
  return {
    ...{ id, ...declared, state: 'open' },
    ...{ createdAt: now, createdBy: user, client, correlationId, scopePath },
    ...{ fields: null, closedAt: null, finishedAt: null, parts: null, bytes: 0, rowsTotal: null },
    place: { offset: 0, rows: 0, lines: 0 },
    ...{ created: 0, changed: 0, unchanged: 0, deleted: 0, failed: 0, problem: null },
    ...{ erased: [], isPurged: false },
  }
}

/** @throws AlmanacError `ingest.columns` */
function headerRule({
  format,
  columns,
  hasHeader = format === 'csv' && columns === null,
}: {
  format: IngestFormat
  columns: readonly IngestColumn[] | null
  hasHeader: boolean | undefined
}): boolean {
  if (hasHeader && format === 'jsonl')
    throw new AlmanacError('ingest.columns', 'JSON Lines have no header. Leave out "hasHeader".')
  if (!hasHeader && columns === null)
    throw new AlmanacError('ingest.columns', 'A job without a header needs "columns".')
  return hasHeader
}

function requireLength(header: readonly string[], columns: readonly IngestColumn[]): void {
  if (header.length === columns.length) return
  throw new AlmanacError(
    'ingest.columns',
    `The header has ${header.length} columns, but "columns" has ${columns.length}.`,
  )
}

function requireResults(job: IngestJob): IngestJob {
  if (!job.isPurged) return job
  throw new AlmanacError('ingest.state', 'The rows and results of the job were removed after 7 days.')
}

function requireParts(stored: readonly IngestPart[], count: number): void {
  const numbers = new Set(stored.map(({ number }) => number))
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((number) => !numbers.has(number))
  const further = stored.filter(({ number }) => number > count).map(({ number }) => number)
  if (missing.length > 0)
    throw new AlmanacError(
      'ingest.parts',
      `Of ${count} parts, these are missing: ${listOf(missing)}. Send them first.`,
    )
  if (further.length > 0)
    throw new AlmanacError(
      'ingest.parts',
      `The job has parts after part ${count}: ${listOf(further)}. Close it with the number of all parts.`,
    )
}

const mostNamed = 10
const listOf = (numbers: readonly number[]): string =>
  `${numbers.slice(0, mostNamed).join(', ')}${numbers.length > mostNamed ? ' and others' : ''}`

async function headerOf(
  store: PartStore,
  parts: readonly IngestPart[],
): Promise<{ columns: string[]; end: number; endLine: number }> {
  const header = await readHeader(partBytes(store, parts, 0))
  if (header !== null) return header
  throw new AlmanacError(
    'ingest.columns',
    'The parts are empty. Send a header with the names of the columns.',
  )
}

async function storePart(
  store: PartStore,
  job: string,
  { number, bytes, verify }: SentPart,
): Promise<IngestPart> {
  if (number > mostParts)
    throw new AlmanacError('ingest.parts', `A job has at most ${mostParts} parts. Send larger ones.`)
  const writer = await store.begin(job)
  try {
    const sha256 = createHash('sha256')
    let length = 0
    for await (const chunk of bytes) {
      sha256.update(chunk)
      length += chunk.length
      await writer.write(chunk)
    }
    verify()
    return { job, number, bytes: length, digest: sha256.digest('hex'), name: await writer.keep() }
  } catch (error) {
    await writer.discard()
    throw error
  }
}
