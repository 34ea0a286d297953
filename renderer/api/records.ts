// Objects and records, as the data API gives them to the current user.
import type {
  Erasure,
  RecordHistory,
  ObjectDescription,
  ObjectSummary,
  QueryReply,
  RecordJson,
  RecordName,
  RecordPlace,
  ValueExplanationView,
} from '#wire/records.ts'
import { get, post, request } from './request.ts'

export type {
  FieldDescription,
  HistoryEntry,
  ObjectDescription,
  ObjectSummary,
  PlacedItemDescription,
  PlacedList,
  PlacedPage,
  RecordHistory,
  RecordJson,
  RecordPlace,
  SectionDescription,
  ValueExplanationView,
  Warning,
} from '#wire/records.ts'
export type RecordValue = RecordJson['fields'][string]
export type RecordValues = Readonly<Record<string, RecordValue>>

export interface RecordQuery {
  object: string
  fields: readonly string[]
  filter?: string
  orderBy?: readonly { field: string; dir: 'asc' | 'desc' }[]
  limit: number
  cursor?: string
}

export interface RecordSearch {
  text: string
  matchFields?: readonly string[]
  fields: readonly string[]
  limit: number
  cursor?: string
}

/** The app in which a request runs, whose entries and flags then apply; null outside of apps. */
export type InApp = string | null

export const inApp = (app: InApp): Record<string, string> => (app === null ? {} : { 'x-app': app })
const at = (...parts: string[]): string => ['/data/v3', ...parts.map(encodeURIComponent)].join('/')
/** A row whose source has no versions is refused with the reason. */
const ifVersion = (version: RecordJson['version']): Record<string, string> => ({
  'if-match': version === null ? '*' : `"${version}"`,
})

export const fetchObjects = async (): Promise<ObjectSummary[]> =>
  (await get<{ objects: ObjectSummary[] }>('/data/v3')).objects

export const fetchObject = (object: string): Promise<ObjectDescription> => get(at(object, 'describe'))

export const queryRecords = (
  body: RecordQuery,
  signal?: AbortSignal,
  app: InApp = null,
): Promise<QueryReply> =>
  request('POST', '/data/v3/query', {
    ...{ body, headers: inApp(app) },
    ...(signal === undefined ? {} : { signal }),
  })

/** How many records of an object a filter finds, up to `most`; all records if it is empty. Null if its source does not count. */
export async function countRecords(
  { object, field, filter }: { object: string; field: string; filter: string },
  { most, signal, app }: { most: number; signal: AbortSignal; app: InApp },
): Promise<number | null> {
  const filtered = filter === '' ? {} : { filter }
  const body = { object, fields: [field], ...filtered, limit: 1, countTo: most }
  const reply = await request<QueryReply>('POST', '/data/v3/query', { body, headers: inApp(app), signal })
  return reply.totalEstimate ?? null
}

/** What the server takes of a text, which can be a pasted one: its last word may be cut, and is found by its beginning. */
const searchedText = (text: string): string => text.slice(0, 200).toWellFormed()

export const searchRecords = (
  object: string,
  body: RecordSearch,
  signal?: AbortSignal,
  app: InApp = null,
): Promise<QueryReply> =>
  request('POST', at(object, 'search'), {
    ...{ body: { ...body, text: searchedText(body.text) }, headers: inApp(app) },
    ...(signal === undefined ? {} : { signal }),
  })

/** In the order of the request; a record that the user cannot see has none. */
export const fetchRecordNames = async (records: readonly RecordPlace[]): Promise<RecordName[]> =>
  (await post<{ names: RecordName[] }>('/setup/v3/record-names', { records })).names

export const fetchRecord = (
  object: string,
  id: string,
  fields: readonly string[],
  app: InApp = null,
): Promise<RecordJson> =>
  request('GET', at(object, id), { query: { fields: fields.join(',') }, headers: inApp(app) })

/** @param once a key: a record that was added with it is not added again, but returned */
export const insertRecord = (
  object: string,
  body: RecordValues,
  { app = null, once }: { app?: InApp; once?: string } = {},
): Promise<RecordJson> =>
  request('POST', at(object), {
    body,
    headers: { ...inApp(app), ...(once === undefined ? {} : { 'idempotency-key': once }) },
  })

export const updateRecord = (
  object: string,
  { id, version }: Pick<RecordJson, 'id' | 'version'>,
  body: RecordValues,
  app: InApp = null,
): Promise<RecordJson> =>
  request('PATCH', at(object, id), { body, headers: { ...ifVersion(version), ...inApp(app) } })

export const deleteRecord = (
  object: string,
  { id, version }: Pick<RecordJson, 'id' | 'version'>,
  app: InApp = null,
): Promise<void> => request('DELETE', at(object, id), { headers: { ...ifVersion(version), ...inApp(app) } })

export const recomputeRecord = (
  object: string,
  { id, version }: Pick<RecordJson, 'id' | 'version'>,
  app: InApp = null,
): Promise<RecordJson> =>
  request('POST', at(object, id, 'recompute'), { headers: { ...ifVersion(version), ...inApp(app) } })

/** A page of the changes of a record, the newest first. */
export const fetchRecordHistory = (object: string, id: string, cursor?: string): Promise<RecordHistory> =>
  get(at(object, id, 'history'), { cursor })

/** Erases the sensitive values of a record. */
export const eraseRecord = (object: string, id: string, reason: string): Promise<Erasure> =>
  post('/setup/v3/erasures', { object, id, reason })

/** A job over the records of an object. */
export interface RecordJob {
  id: string
  kind:
    | 'recompute'
    | 'rebind'
    | 'replay'
    | 'archive'
    | 'fill'
    | 'follow'
    | 'automation'
    | 'erase'
    | 'outbox'
    | 'deliveries'
    | 'operation'
  object: string | null
  /** What is done with dead calls; null for other jobs. */
  outbox: { action: 'requeue' | 'resolve' | 'discard' } | null
  /** What is done with dead deliveries; null for other jobs. */
  deliveries: { action: 'requeue' | 'discard' } | null
  state: 'queued' | 'processing' | 'waiting' | 'completed' | 'failed' | 'aborted'
  /** Null until the records are counted. */
  total: number | null
  done: number
  changed: number
  failed: number
  failures: { record: string; code: string; message: string }[]
  problem: { code: string; message: string } | null
}

export const startRecordJob = (body: {
  kind: 'recompute' | 'rebind' | 'replay' | 'archive'
  object: string
  filter?: string
}): Promise<RecordJob> => post('/setup/v3/jobs', body)

/** The newest jobs, newest first. */
export const fetchRecordJobs = async (limit: number): Promise<RecordJob[]> =>
  (await get<{ jobs: RecordJob[] }>('/setup/v3/jobs', { limit })).jobs

export const fetchRecordJob = (id: string): Promise<RecordJob> =>
  get(`/setup/v3/jobs/${encodeURIComponent(id)}`)

export const abortRecordJob = (id: string): Promise<RecordJob> =>
  post(`/setup/v3/jobs/${encodeURIComponent(id)}/abort`)

export const explainValue = (
  object: string,
  id: string,
  field: string,
  app: InApp = null,
): Promise<ValueExplanationView> => request('GET', at(object, id, 'values', field), { headers: inApp(app) })

/** A user who can read a record; the strongest reason first. */
export interface RecordViewer {
  user: string
  name: string
  rights: ('read' | 'update' | 'delete')[]
  reasons: {
    kind: 'platform_root' | 'modify_all' | 'view_all' | 'default' | 'owner' | 'sharing_rule'
    access: 'read' | 'read_write'
    rule?: string
    permissionSet?: string
  }[]
}

/** For users with access.manage. */
export const fetchRecordViewers = async (object: string, id: string): Promise<RecordViewer[]> => {
  const path = ['/setup/v3/records', object, id].map((part, at) =>
    at === 0 ? part : encodeURIComponent(part),
  )
  return (await get<{ viewers: RecordViewer[] }>(`${path.join('/')}/viewers`)).viewers
}

/** The bundle as it is sent, because only the exact bytes verify. */
export const fetchValueEvidence = (object: string, id: string, field: string): Promise<string> =>
  request('GET', at(object, id, 'values', field, 'evidence'), { raw: true })

export const archiveValue = (
  object: string,
  id: string,
  field: string,
): Promise<{ archive: string; evidence: string }> => post(at(object, id, 'values', field, 'archive'))

/** Where the bundles of an archive are downloaded. */
export const archivePath = (id: string): string => `/setup/v3/archives/${encodeURIComponent(id)}/evidence`
