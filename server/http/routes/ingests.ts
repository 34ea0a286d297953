// Bulk ingest: a job is created, its parts are uploaded, it is closed, and its rows are saved in batches.
import { z } from 'zod'
import { hasPermission } from '../../access/index.ts'
import { longestColumn, mostColumns, rowOutcomes, type IngestCaller } from '../../bulk/index.ts'
import type { IngestJob } from '../../ports/ingest.ts'
import { mebibyte } from '../budget.ts'
import { digestCheck } from '../content-digest.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { jsonReply, mediaReply } from '../reply.ts'
import type { RequestContext } from '../request-context.ts'
import { defineRoute } from '../route.ts'
import { pageQuery } from '../schemas/common.ts'
import { objectName } from '../schemas/records.ts'
import type { Services } from '../services.ts'

const states = ['open', 'queued', 'processing', 'completed', 'failed', 'aborted'] as const
const format = z.enum(['csv', 'jsonl'])

const ingestJob = z
  .object({
    id: z.string(),
    object: z
      .string()
      .nullable()
      .meta({ description: 'Null if the object was removed, or if you cannot see it.' }),
    operation: z.enum(['insert', 'update', 'upsert', 'delete']),
    format,
    externalId: z.string().nullable(),
    columns: z.array(z.string().nullable()).nullable().meta({
      description:
        'Null until the job is closed, if the header names them. A column that is null is not loaded.',
    }),
    state: z.enum(states),
    createdAt: z.string(),
    createdBy: z.string(),
    correlationId: z.string().meta({
      description: 'Of its saves, their events and calls, and of its events in the execution trace.',
    }),
    closedAt: z.string().nullable(),
    finishedAt: z.string().nullable(),
    parts: z.int().nullable().meta({ description: 'Null until the job is closed.' }),
    hasHeader: z.boolean().meta({ description: 'Whether the first row of its parts is a header.' }),
    bytes: z.int().meta({ description: 'Of all parts, after decompression.' }),
    bytesDone: z.int(),
    rowsTotal: z.int().nullable().meta({ description: 'Null until the last row is read.' }),
    rowsDone: z.int(),
    linesDone: z.int().meta({ description: 'Lines that were processed, with the header.' }),
    succeeded: z.int().meta({ description: 'Rows that were created, changed, deleted or unchanged.' }),
    failed: z.int(),
    created: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    deleted: z.int(),
    problem: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why the job ended early.' }),
    isPurged: z
      .boolean()
      .meta({ description: 'Whether its parts and results were removed, 7 days after its end.' }),
  })
  .meta({ id: 'IngestJob' })

const params = z.strictObject({ id: z.string().min(1).max(100) })
const jobsCursor = 'bulk jobs'
const columnName = z.string().min(1).max(longestColumn)

type Context = RequestContext & { services: Services }

function ingestCallerOf({ access, identity, snapshot, scopePath, by }: Context): IngestCaller {
  return {
    ...{ user: access.user, client: identity.client, scopePath, generation: snapshot.generation },
    ...{ isOperator: hasPermission(access, 'operations.manage'), correlationId: by.correlationId },
  }
}

function viewOf(request: Context, job: IngestJob): z.input<typeof ingestJob> {
  const { id, operation, format: sent, externalId, state, createdAt, createdBy, closedAt, finishedAt } = job
  const {
    correlationId,
    parts,
    bytes,
    rowsTotal,
    place,
    created,
    changed,
    unchanged,
    deleted,
    failed,
    problem,
    isPurged,
    hasHeader,
  } = job
  // An operator can end the job of another user, but sees nothing that names fields or contains values.
  const isOwn = createdBy === request.access.user
  const hidden = problem === null ? null : { code: problem.code, message: 'Its creator can see why.' }
  return {
    ...{
      id,
      object: request.services.ingests.objectOf(ingestCallerOf(request), job),
      operation,
      format: sent,
    },
    externalId: isOwn ? externalId : null,
    columns: isOwn && job.columns !== null ? [...job.columns] : null,
    state,
    ...{ createdAt, createdBy, correlationId, closedAt, finishedAt, parts, bytes, bytesDone: place.offset },
    ...{
      rowsTotal,
      rowsDone: place.rows,
      linesDone: place.lines,
      succeeded: created + changed + unchanged + deleted,
      failed,
    },
    ...{ created, changed, unchanged, deleted, isPurged, hasHeader },
    problem: isOwn ? problem : hidden,
  }
}

export const createIngest = defineRoute({
  method: 'post',
  path: '/data/v3/jobs/ingest',
  name: 'createIngest',
  summary: 'Create a bulk job, whose rows are then uploaded in parts',
  effect: 'writes',
  body: z.strictObject({
    object: objectName,
    operation: z.enum(['insert', 'update', 'upsert', 'delete']),
    format,
    externalId: columnName.optional().meta({ description: 'The unique field by which records are found.' }),
    columns: z.array(columnName.nullable()).min(1).max(mostColumns).optional().meta({
      description:
        'The first row of CSV if omitted; required for JSON Lines. In CSV, null in place of a column that is not loaded.',
    }),
    hasHeader: z.boolean().optional().meta({
      description:
        'Whether the first row of CSV is a header: true if `columns` is omitted, otherwise false. With both, `columns` are used instead of its names.',
    }),
  }),
  status: 201,
  reply: ingestJob,
  errors: ['object.not_found', 'virtual.not_stored', 'ingest.columns', 'limit.open_jobs', 'request.invalid'],
  handle: async (request) => {
    const job = await request.services.ingests.create(ingestCallerOf(request), request.body)
    return jsonReply(viewOf(request, job), {
      status: 201,
      headers: { Location: `/data/v3/jobs/ingest/${job.id}` },
    })
  },
})

export const putIngestPart = defineRoute({
  method: 'put',
  path: '/data/v3/jobs/ingest/{id}/parts/{n}',
  name: 'putIngestPart',
  summary: 'Upload a part of a bulk job, or replace it',
  effect: 'writes',
  params: z.strictObject({ ...params.shape, n: z.coerce.number().pipe(z.int().min(1).max(10_000)) }),
  bodyStream: ['text/csv', 'application/x-ndjson', 'application/jsonl', 'application/octet-stream'],
  requestHeaders: ['Content-Digest'],
  budget: { bytes: 100 * mebibyte },
  reply: z.object({ part: z.int(), bytes: z.int(), sha256: z.string() }),
  errors: [
    ...(['ingest.not_found', 'ingest.state', 'ingest.digest', 'ingest.parts'] as const),
    ...(['request.too_large', 'request.media_type', 'request.malformed', 'limit.slow_request'] as const),
  ],
  handle: async (request) => {
    const { params: place, raw, services } = request
    const body = raw.openBody!()
    const verify = digestCheck(raw.request.get('Content-Digest'), body)
    const part = { number: place.n, bytes: body, verify }
    const { number, bytes, digest } = await services.ingests.putPart(ingestCallerOf(request), place.id, part)
    return { part: number, bytes, sha256: digest }
  },
})

export const closeIngest = defineRoute({
  method: 'post',
  path: '/data/v3/jobs/ingest/{id}/close',
  name: 'closeIngest',
  summary: 'Close a bulk job: its columns are checked, and its rows are processed',
  effect: 'writes',
  params,
  body: z.strictObject({
    parts: z.int().min(1).max(10_000).meta({ description: 'How many parts the job has.' }),
  }),
  reply: ingestJob,
  errors: [
    ...(['ingest.not_found', 'ingest.state', 'ingest.parts', 'ingest.columns', 'ingest.row'] as const),
    ...(['object.not_found', 'virtual.not_stored'] as const),
  ],
  handle: async (request) => {
    const { services, params: place, body } = request
    const job = await services.ingests.close(ingestCallerOf(request), place.id, body.parts)
    services.ingestRunner?.wake()
    return viewOf(request, job)
  },
})

export const abortIngest = defineRoute({
  method: 'post',
  path: '/data/v3/jobs/ingest/{id}/abort',
  name: 'abortIngest',
  summary: 'End a bulk job; rows that were processed stay',
  effect: 'writes',
  params,
  reply: ingestJob,
  errors: ['ingest.not_found'],
  handle: async (request) =>
    viewOf(request, await request.services.ingests.abort(ingestCallerOf(request), request.params.id)),
})

export const getIngest = defineRoute({
  method: 'get',
  path: '/data/v3/jobs/ingest/{id}',
  name: 'getIngest',
  summary: 'Get a bulk job and how far it is',
  effect: 'reads',
  params,
  reply: ingestJob,
  errors: ['ingest.not_found'],
  handle: async (request) =>
    viewOf(request, await request.services.ingests.get(ingestCallerOf(request), request.params.id)),
})

export const listIngests = defineRoute({
  method: 'get',
  path: '/data/v3/jobs/ingest',
  name: 'listIngests',
  summary: 'List your bulk jobs, newest first; those of all users for holders of operations.manage',
  effect: 'reads',
  query: z.strictObject({
    ...pageQuery,
    state: z.enum(states).optional(),
    object: objectName.optional(),
    failed: z
      .enum(['true'])
      .optional()
      .meta({ description: 'Only jobs that failed, or that have a failed row.' }),
  }),
  reply: z.object({ jobs: z.array(ingestJob), nextCursor: z.string().nullable() }),
  errors: ['object.not_found'],
  handle: async (request) => {
    const { limit, cursor, state, object, failed } = request.query
    const jobs = await request.services.ingests.list(ingestCallerOf(request), {
      limit: limit + 1,
      before: decodeCursor(jobsCursor, cursor),
      states: state === undefined ? undefined : [state],
      ...{ object, isFailed: failed === 'true' },
    })
    const shown = jobs.slice(0, limit)
    const next = jobs.length > limit ? shown.at(-1)!.id : null
    return {
      jobs: shown.map((job) => viewOf(request, job)),
      nextCursor: next === null ? null : encodeCursor(jobsCursor, next),
    }
  },
})

const media = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' } as const

export const getIngestResults = defineRoute({
  method: 'get',
  path: '/data/v3/jobs/ingest/{id}/results',
  name: 'getIngestResults',
  summary: 'Read what became of each row of a bulk job, in the order of the rows',
  effect: 'reads',
  params,
  query: z.strictObject({
    outcome: z.enum([...rowOutcomes, 'succeeded']).optional(),
    format: format.optional().meta({ description: 'That of the job if omitted.' }),
    after: z.coerce.number().pipe(z.int().min(0)).optional().meta({
      description:
        'Only rows after this `number`, which JSON Lines have: the one of the last row that was read.',
    }),
    limit: z.coerce
      .number()
      .pipe(z.int().min(1).max(10_000))
      .optional()
      .meta({ description: 'All rows if omitted.' }),
  }),
  media: ['text/csv', 'application/x-ndjson'],
  errors: ['ingest.not_found', 'ingest.state'],
  handle: async (request) => {
    const { services, params: place, query } = request
    const by = ingestCallerOf(request)
    const chosen = query.format ?? (await services.ingests.get(by, place.id)).format
    const pieces = await services.ingests.results(by, place.id, { ...query, format: chosen })
    return mediaReply(media[chosen], { pieces })
  },
})

export const getIngestRows = defineRoute({
  method: 'get',
  path: '/data/v3/jobs/ingest/{id}/rows',
  name: 'getIngestRows',
  summary: 'Read rows of a bulk job as they were sent, to send them again',
  effect: 'reads',
  params,
  query: z.strictObject({ of: z.enum(['failed', 'unprocessed']) }),
  media: ['text/csv', 'application/x-ndjson'],
  errors: ['ingest.not_found', 'ingest.state'],
  handle: async (request) => {
    const { services, params: place, query } = request
    const by = ingestCallerOf(request)
    const job = await services.ingests.get(by, place.id)
    return mediaReply(media[job.format], { pieces: await services.ingests.rows(by, place.id, query.of) })
  },
})
