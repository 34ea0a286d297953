// Bulk jobs: rows of a file that are uploaded in parts and saved by the server.
import { get, openDownload, post, request } from './request.ts'

export type IngestState = 'open' | 'queued' | 'processing' | 'completed' | 'failed' | 'aborted'
export type IngestOperation = 'insert' | 'update' | 'upsert' | 'delete'
export type IngestFormat = 'csv' | 'jsonl'
export type RowOutcome = 'created' | 'changed' | 'unchanged' | 'deleted' | 'failed'

export interface IngestJob {
  id: string
  /** Null if the object was removed, or if the user cannot see it. */
  object: string | null
  operation: IngestOperation
  format: IngestFormat
  externalId: string | null
  /** Null until the job is closed, and for users who did not create it. A column that is null is not loaded. */
  columns: (string | null)[] | null
  hasHeader: boolean
  state: IngestState
  createdAt: string
  createdBy: string
  closedAt: string | null
  finishedAt: string | null
  parts: number | null
  bytes: number
  bytesDone: number
  rowsTotal: number | null
  rowsDone: number
  linesDone: number
  succeeded: number
  failed: number
  created: number
  changed: number
  unchanged: number
  deleted: number
  problem: { code: string; message: string } | null
  isPurged: boolean
}

export interface IngestRequest {
  object: string
  operation: IngestOperation
  format: IngestFormat
  externalId?: string | undefined
  columns: (string | null)[]
  hasHeader: boolean
}

/** What became of a row. */
export interface RowResult {
  /** From 1, without the header. */
  number: number
  line: number
  id: string | null
  outcome: RowOutcome
  error: { code: string; message: string } | null
  /** By column; absent for a row that cannot be read, which has `text`. */
  row?: Record<string, unknown>
  text?: string
}

export interface IngestQuery {
  state?: IngestState | undefined
  object?: string | undefined
  failed?: 'true' | undefined
}

const jobs = '/data/v3/jobs/ingest'
const pathOf = (id: string): string => `${jobs}/${encodeURIComponent(id)}`

export const fetchIngests = (
  query: IngestQuery,
  cursor?: string,
): Promise<{ jobs: IngestJob[]; nextCursor: string | null }> => get(jobs, { ...query, cursor, limit: 50 })
export const fetchIngest = (id: string): Promise<IngestJob> => get(pathOf(id))
export const createIngest = (body: IngestRequest): Promise<IngestJob> => post(jobs, body)
export const closeIngest = (id: string, parts: number): Promise<IngestJob> =>
  post(`${pathOf(id)}/close`, { parts })
export const abortIngest = (id: string): Promise<IngestJob> => post(`${pathOf(id)}/abort`)

export interface SentPart {
  id: string
  /** From 1. */
  number: number
  bytes: Blob
  /** SHA-256 in base64; null where the browser cannot compute it. */
  digest: string | null
}

export const putIngestPart = (
  { id, number, bytes, digest }: SentPart,
  signal: AbortSignal,
): Promise<unknown> =>
  request('PUT', `${pathOf(id)}/parts/${number}`, {
    content: { type: 'application/octet-stream', bytes },
    headers: digest === null ? {} : { 'content-digest': `sha-256=:${digest}:` },
    signal,
  })

/** A page of results. @param after the number of the row before it */
export async function fetchResults(
  id: string,
  query: { outcome?: RowOutcome | 'succeeded' | undefined; after: number; limit: number },
): Promise<RowResult[]> {
  const options = { query: { ...query, format: 'jsonl' }, raw: true }
  const text = await request<string>('GET', `${pathOf(id)}/results`, options)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RowResult)
}

/** Where all results are downloaded, as CSV. */
export const resultsPath = (id: string): string => `${pathOf(id)}/results?format=csv`
/** Where rows are downloaded as they were sent. */
export const rowsPath = (id: string, of: 'failed' | 'unprocessed'): string => `${pathOf(id)}/rows?of=${of}`

export const openRows = (id: string, of: 'failed' | 'unprocessed'): Promise<Response> =>
  openDownload(`${pathOf(id)}/rows`, { of })
