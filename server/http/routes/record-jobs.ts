// Jobs over the records of an object: a recompute, a rebind, a replay and an archive of stored values.
import { z } from 'zod'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { defineRoute } from '../route.ts'
import { generationNumber, pageQuery } from '../schemas/common.ts'
import { objectName } from '../schemas/records.ts'
import { callerOf } from '../views/record-caller.ts'

const job = z
  .object({
    id: z.string(),
    kind: z.enum([
      'recompute',
      'rebind',
      'replay',
      'archive',
      'fill',
      'follow',
      'automation',
      'erase',
      'operation',
      'outbox',
      'deliveries',
    ]),
    object: z
      .string()
      .nullable()
      .meta({ description: 'Null if the object was removed, or if you cannot read it.' }),
    filter: z.string().nullable(),
    outbox: z
      .object({
        action: z.enum(['requeue', 'resolve', 'discard']),
        filter: z.record(z.string(), z.string()),
        ...{ acceptRepeat: z.boolean(), reason: z.string() },
      })
      .nullable()
      .meta({ description: 'What is done with the dead calls of a filter; null for other jobs.' }),
    deliveries: z
      .object({
        action: z.enum(['requeue', 'discard']),
        filter: z.record(z.string(), z.string()),
        ...{ acceptRepeat: z.boolean(), reason: z.string() },
      })
      .nullable()
      .meta({ description: 'What is done with the dead deliveries of a filter; null for other jobs.' }),
    boundBefore: z.int().nullable(),
    state: z.enum(['queued', 'processing', 'waiting', 'completed', 'failed', 'aborted']),
    createdAt: z.string(),
    createdBy: z.string(),
    finishedAt: z.string().nullable(),
    total: z.int().nullable().meta({
      description: 'Records that the job takes; null until they are counted, which it does first.',
    }),
    done: z.int().meta({ description: 'Of the total; equal to it when the job is completed.' }),
    changed: z.int().meta({
      description:
        'Records that were written; of a replay, those with a value that differs; of an archive, those with archived values.',
    }),
    failed: z.int(),
    failures: z
      .array(z.object({ record: z.string(), code: z.string(), message: z.string() }))
      .meta({ description: 'The first 100.' }),
    problem: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why the job ended early.' }),
  })
  .meta({ id: 'RecordJob' })

/** Names the list of jobs in its cursors. */
const jobsCursor = 'record jobs'

const params = z.strictObject({ id: z.string().min(1).max(100) })
const jobErrors: readonly ErrorCode[] = ['access.denied', 'record.job_not_found']

export const startRecordJob = defineRoute({
  method: 'post',
  path: '/setup/v3/jobs',
  name: 'startRecordJob',
  summary:
    'Recompute, rebind, replay or archive the stored values of the records of an object that you can see',
  effect: 'writes',
  permission: 'operations.manage',
  body: z.strictObject({
    kind: z.enum(['recompute', 'rebind', 'replay', 'archive']),
    object: objectName,
    filter: z
      .string()
      .max(20_000)
      .optional()
      .meta({ description: 'Of the records; all records that you can see if omitted.' }),
    boundBefore: generationNumber.optional().meta({
      description:
        'Only records with a value that is bound to a generation before this one. For a rebind or an archive, the active generation if omitted.',
    }),
    keepArchived: z.boolean().optional().meta({
      description: 'Whether a recompute or a rebind leaves archived values as they are. False if omitted.',
    }),
  }),
  status: 202,
  reply: job,
  errors: ['access.denied', 'object.not_found', 'expression.invalid', 'request.invalid'],
  handle: async (request) => {
    const { services, body, by } = request
    const started = await services.records.createJob(callerOf(request), by, body)
    services.recordJobs?.wake()
    return started
  },
})

export const listRecordJobs = defineRoute({
  method: 'get',
  path: '/setup/v3/jobs',
  name: 'listRecordJobs',
  summary: 'List jobs over records, newest first',
  effect: 'reads',
  permission: 'operations.manage',
  query: z.strictObject(pageQuery),
  reply: z.object({ jobs: z.array(job), nextCursor: z.string().nullable() }),
  errors: ['access.denied'],
  handle: async (request) => {
    const { limit, cursor } = request.query
    const before = decodeCursor(jobsCursor, cursor)
    const { jobs, next } = await request.services.records.jobs(callerOf(request), { limit, before })
    return { jobs, nextCursor: next === null ? null : encodeCursor(jobsCursor, next) }
  },
})

export const getRecordJob = defineRoute({
  method: 'get',
  path: '/setup/v3/jobs/{id}',
  name: 'getRecordJob',
  summary: 'Get a job over records',
  effect: 'reads',
  permission: 'operations.manage',
  params,
  reply: job,
  errors: jobErrors,
  handle: (request) => request.services.records.job(callerOf(request), request.params.id),
})

export const abortRecordJob = defineRoute({
  method: 'post',
  path: '/setup/v3/jobs/{id}/abort',
  name: 'abortRecordJob',
  summary: 'End a job over records; what it has done stays',
  effect: 'writes',
  permission: 'operations.manage',
  params,
  reply: job,
  errors: jobErrors,
  handle: (request) => request.services.records.abortJob(callerOf(request), request.params.id),
})
