// Objects and records as the caller can see them.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { effectiveAccess } from '../../access/index.ts'
import { queryBudget } from '../budget.ts'
import type { RecordJson } from '../../records/index.ts'
import { jsonReply, textReply, type Reply } from '../reply.ts'
import { sourceErrors } from '../callout-errors.ts'
import { etagHeader, versionOf } from '../record-version.ts'
import { pageReply } from '../views/found-records.ts'
import { defineRoute } from '../route.ts'
import { pageQuery, problem } from '../schemas/common.ts'
import {
  objectDescription,
  objectName,
  objectSummary,
  record,
  recordHistory,
  recordId,
  valueExplanation,
} from '../schemas/records.ts'
import { callerOf } from '../views/record-caller.ts'
import { viewingActor } from '../views/viewing-actor.ts'

export const objects = defineRoute({
  method: 'get',
  path: '/data/v3',
  name: 'listObjects',
  summary: 'List the objects that you can see, with your rights',
  effect: 'reads',
  reply: z.object({ objects: z.array(objectSummary) }),
  errors: [],
  handle: (request) => ({ objects: request.services.records.list(callerOf(request)) }),
})

export const describe = defineRoute({
  method: 'get',
  path: '/data/v3/{object}/describe',
  name: 'describeObject',
  summary: 'Get the fields of an object that you can see',
  effect: 'reads',
  params: z.strictObject({ object: objectName }),
  reply: objectDescription,
  errors: ['object.not_found'],
  handle: (request) => request.services.records.describe(callerOf(request), request.params.object),
})

/** How long a read of many records can take, in milliseconds. */
const queryMs = 5000

/** Names in one projection. */
const maxNames = 500

const recordReply = (json: RecordJson): Reply<RecordJson> => jsonReply(json, { headers: etagHeader(json) })

export const getRecord = defineRoute({
  method: 'get',
  path: '/data/v3/{object}/{id}',
  name: 'getRecord',
  summary: 'Get a record',
  effect: 'reads',
  params: z.strictObject({ object: objectName, id: recordId }),
  query: z.strictObject({
    fields: z.string().max(20_000).optional().meta({
      description: 'Comma-separated names of fields, also along references; all fields if omitted.',
    }),
  }),
  reply: record,
  etag: true,
  errors: ['object.not_found', 'record.not_found', 'access.denied', 'request.invalid', ...sourceErrors],
  readsRecordsOnly: true,
  handle: (request) => {
    const { services, params, query } = request
    const names = query.fields?.split(',').map((name) => name.trim())
    if (names !== undefined && names.length > maxNames)
      throw new AlmanacError('request.malformed', `fields: at most ${maxNames} names, not ${names.length}.`)
    const found = services.records.get(callerOf(request), params.object, params.id, names)
    return found instanceof Promise ? found.then(recordReply) : recordReply(found)
  },
})

export const getRecordHistory = defineRoute({
  method: 'get',
  path: '/data/v3/{object}/{id}/history',
  name: 'getRecordHistory',
  summary: 'List the changes of a record, newest first, page by page',
  effect: 'reads',
  params: z.strictObject({ object: objectName, id: recordId }),
  query: z.strictObject(pageQuery),
  reply: recordHistory,
  errors: ['object.not_found', 'record.not_found', 'access.denied', 'virtual.not_stored'],
  handle: (request) => {
    const { services, params, query } = request
    return services.records.history(callerOf(request), params.object, params.id, query)
  },
})

const rowReason = z.object({
  kind: z.enum(['platform_root', 'modify_all', 'view_all', 'default', 'owner', 'sharing_rule']),
  access: z.enum(['read', 'read_write']),
  rule: z.string().optional(),
  permissionSet: z.string().optional(),
})

export const listRecordViewers = defineRoute({
  method: 'get',
  path: '/setup/v3/records/{object}/{id}/viewers',
  name: 'listRecordViewers',
  summary: 'List the users who can read a record, what they can do with it, and why',
  effect: 'reads',
  permission: 'access.manage',
  params: z.strictObject({ object: objectName, id: recordId }),
  // Rights and sharing rules are evaluated for each user.
  budget: { lane: 'quick', deadlineMs: queryMs },
  reply: z.object({
    viewers: z.array(
      z.object({
        user: z.string(),
        name: z.string(),
        rights: z.array(z.enum(['read', 'update', 'delete'])),
        reasons: z.array(rowReason).meta({ description: 'The strongest access first.' }),
      }),
    ),
  }),
  errors: ['object.not_found', 'record.not_found', 'access.denied', 'virtual.not_stored', 'limit.deadline'],
  handle: async (request) => {
    const { services, snapshot, params } = request
    const { names, users } = services.store.read((reader) => {
      const active = reader.people.users().filter((user) => user.active)
      return {
        names: new Map(active.map(({ key, name }) => [key, name])),
        users: active.map(({ key }) => effectiveAccess(reader, key, snapshot.view)),
      }
    })
    const found = await services.records.viewers(callerOf(request), params.object, params.id, users)
    return { viewers: found.map((viewer) => ({ ...viewer, name: names.get(viewer.user) ?? viewer.user })) }
  },
})

export const explainRecordValue = defineRoute({
  method: 'get',
  path: '/data/v3/{object}/{id}/values/{field}',
  name: 'explainValue',
  summary: 'Explain the value of a field: its formula, what it read, its replay and a recompute',
  effect: 'reads',
  params: z.strictObject({ object: objectName, id: recordId, field: z.string().min(1).max(80) }),
  // A roll-up reads all children of the record.
  budget: { lane: 'quick', deadlineMs: queryMs },
  reply: valueExplanation,
  errors: [
    ...(['object.not_found', 'record.not_found', 'access.denied'] as const),
    ...(['request.invalid', 'virtual.not_stored', 'limit.deadline'] as const),
  ],
  handle: async (request) => {
    const { object, id, field } = request.params
    const { services } = request
    const explained = await services.records.explain(callerOf(request), object, id, field)
    const { bound, present, ...value } = explained
    if (bound === null || present === null) return { ...value, bound: null, present: null, reasons: [] }
    const compared = services.evaluation.compareReads(viewingActor(request), {
      ...bound,
      present,
      formula: {
        ...{ object: value.object, field: value.field },
        ...{ before: bound.field ?? present.field, after: present.field },
      },
    })
    return {
      ...value,
      bound: { ...compared.bound, replay: bound.replay, identical: bound.identical },
      present: {
        ...compared.present,
        ...{ value: present.value, differs: present.differs, problem: present.problem },
        ...{ expression: present.expression, rollUp: present.rollUp },
      },
      reasons: compared.reasons,
    }
  },
})

export const recordValueEvidence = defineRoute({
  method: 'get',
  path: '/data/v3/{object}/{id}/values/{field}/evidence',
  name: 'exportValueEvidence',
  summary: 'Get the signed evidence bundle of a stored formula’s value, byte for byte as it verifies',
  effect: 'reads',
  params: z.strictObject({ object: objectName, id: recordId, field: z.string().min(1).max(80) }),
  media: 'application/json',
  errors: [
    ...([
      'object.not_found',
      'record.not_found',
      'virtual.not_stored',
      'record.erased',
      'access.denied',
      'request.invalid',
    ] as const),
    ...(['binding.differs', 'evidence.invalid', 'generation.not_found'] as const),
  ],
  handle: async (request) => {
    const { object, id, field } = request.params
    const { records, evaluation } = request.services
    const proven = await records.prove(callerOf(request), object, id, field)
    const bundle = await evaluation.recordEvidence(viewingActor(request), proven)
    return textReply(bundle, 'application/json; charset=utf-8')
  },
})

export const archiveRecordValue = defineRoute({
  method: 'post',
  path: '/data/v3/{object}/{id}/values/{field}/archive',
  name: 'archiveValue',
  summary:
    'Archive the evidence of a stored formula’s value; its generation can then be purged, and the value is frozen',
  effect: 'writes',
  permission: 'operations.manage',
  params: z.strictObject({ object: objectName, id: recordId, field: z.string().min(1).max(80) }),
  query: z.strictObject({}),
  body: z.strictObject({}).optional(),
  reply: z.object({
    archive: z.string().meta({ description: 'The ID of the archive that keeps the bundle.' }),
    evidence: z.string().meta({ description: 'The text of the bundle, byte for byte as it verifies.' }),
  }),
  requestHeaders: ['If-Match'],
  errors: [...recordValueEvidence.errors, 'conflict.stale_version', 'request.malformed'],
  handle: (request) => {
    const { services, by, params } = request
    const version = versionOf(request.raw.request.get('If-Match'), { required: false })
    return services.records.archive(callerOf(request), by, params, version)
  },
})

const queriedFields = z
  .array(z.string().min(1).max(400))
  .min(1)
  .max(maxNames)
  .meta({ description: 'Names of fields, also along references, such as customer.name.' })

/** What a query and a search have in common. */
const paged = {
  filter: z
    .string()
    .max(20_000)
    .optional()
    .meta({ description: 'A condition on the record, such as net > 100 && customer.country == "DE".' }),
  limit: z.int().min(1).max(2000).default(50),
  cursor: z.string().max(40_000).optional(),
}
const page = z.object({
  records: z.array(record),
  nextCursor: z.string().nullable(),
  warnings: z.array(problem).optional().meta({
    description:
      'What is wrong with the page, which is shown nevertheless. Always of a virtual object: rows that its source left out, moved or returned with values of a different type, and a page that ends at its deadline.',
  }),
})
const pageErrors = [
  ...(['object.not_found', 'access.denied', 'request.invalid', 'expression.invalid'] as const),
  ...(['record.filling', 'limit.query_deadline'] as const),
  ...sourceErrors,
]

export const queryRecords = defineRoute({
  method: 'post',
  path: '/data/v3/query',
  name: 'queryRecords',
  summary: 'Query the records of an object that you can see, page by page',
  effect: 'reads',
  body: z.strictObject({
    object: objectName,
    fields: queriedFields,
    orderBy: z
      .array(
        z.strictObject({ field: z.string().min(1).max(400), dir: z.enum(['asc', 'desc']).default('asc') }),
      )
      .max(8)
      .default([]),
    ...paged,
    countTo: z.int().min(1).max(10_000).optional().meta({
      description:
        'Also counts the records of all pages, up to this number. Omit it unless you show the total.',
    }),
  }),
  budget: queryBudget,
  reply: page.extend({
    totalEstimate: z.int().optional().meta({
      description: 'With countTo: the number of records of all pages. If it is countTo, there can be more.',
    }),
  }),
  errors: pageErrors,
  waits: (request) => request.services.records.isRemote(callerOf(request), [request.body.object]),
  handle: async (request) =>
    pageReply(request, await request.services.records.query(callerOf(request), request.body)),
})

export const nameRecords = defineRoute({
  method: 'post',
  path: '/setup/v3/record-names',
  name: 'nameRecords',
  summary: 'Get the names of records',
  effect: 'reads',
  body: z.strictObject({
    records: z.array(z.strictObject({ object: objectName, id: recordId })).max(200),
  }),
  budget: queryBudget,
  reply: z.object({
    names: z.array(
      z.object({
        object: z.string(),
        id: z.string(),
        name: z
          .string()
          .nullable()
          .meta({ description: 'Null if the record does not exist, or if you cannot see it or its name.' }),
      }),
    ),
  }),
  errors: [],
  waits: (request) =>
    request.services.records.isRemote(
      callerOf(request),
      request.body.records.map(({ object }) => object),
    ),
  handle: async (request) => ({
    names: await request.services.records.names(callerOf(request), request.body.records),
  }),
})

export const searchRecords = defineRoute({
  method: 'post',
  path: '/data/v3/{object}/search',
  name: 'searchRecords',
  summary: 'Find the records of an object whose words begin with a text, page by page',
  effect: 'reads',
  params: z.strictObject({ object: objectName }),
  body: z.strictObject({
    text: z.string().max(200).meta({
      description: 'Each of its words begins a word of a match field, in upper or lower case; empty for all.',
    }),
    matchFields: z
      .array(z.string().min(1).max(80))
      .min(1)
      .max(8)
      .optional()
      .meta({ description: 'Searched text fields; the name field if omitted.' }),
    fields: queriedFields,
    ...paged,
  }),
  budget: queryBudget,
  reply: page,
  errors: pageErrors,
  waits: (request) => request.services.records.isRemote(callerOf(request), [request.params.object]),
  handle: async (request) => {
    const { object } = request.params
    return pageReply(
      request,
      await request.services.records.search(callerOf(request), { object, ...request.body }),
    )
  },
})
