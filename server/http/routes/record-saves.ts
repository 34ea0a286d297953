// Saves of records, each through the save order.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { CommandItem, ItemReply, RecordJson, SaveReply } from '../../records/index.ts'
import { mebibyte } from '../budget.ts'
import { idempotencyOf } from '../idempotency-key.ts'
import { problemOf } from '../problem.ts'
import { etagHeader, rowVersionOf, versionOf } from '../record-version.ts'
import { rowErrors } from '../callout-errors.ts'
import { callerOf } from '../views/record-caller.ts'
import { emptyReply, jsonReply, type Reply } from '../reply.ts'
import type { RequestContext } from '../request-context.ts'
import { defineRoute, type PublicRequest } from '../route.ts'
import {
  batchItem,
  batchResult,
  objectBatchItem,
  objectName,
  record,
  recordId,
  sentFields,
} from '../schemas/records.ts'

const saveErrors = [
  'object.not_found',
  'virtual.not_stored',
  'record.invalid',
  'access.denied',
  'limit.busy',
  'limit.event_too_large',
  'limit.save_depth',
  'limit.save_deadline',
  'limit.save_records',
] as const

type SaveRequest = PublicRequest<unknown, unknown, unknown> & RequestContext

export const insertRecord = defineRoute({
  method: 'post',
  path: '/data/v3/{object}',
  name: 'insertRecord',
  summary: 'Add a record',
  effect: 'writes',
  params: z.strictObject({ object: objectName }),
  body: sentFields,
  status: 201,
  reply: record,
  requestHeaders: ['Idempotency-Key'],
  etag: true,
  errors: [...saveErrors, ...rowErrors, 'request.invalid', 'conflict.idempotency_key'],
  handle: async (request) => {
    const { object } = request.params
    const { records } = request.services
    if (!records.isRemote(callerOf(request), [object])) {
      const saved = await saveOne(request, { op: 'insert', object, fields: request.body })
      return recordReply(saved, object, 201)
    }
    refuseIdempotencyKey(request, object)
    return rowReply(await records.rows.insert(callerOf(request), { object, fields: request.body }), 201)
  },
})

export const updateRecord = defineRoute({
  method: 'patch',
  path: '/data/v3/{object}/{id}',
  name: 'updateRecord',
  summary: 'Change fields of a record',
  effect: 'writes',
  params: z.strictObject({ object: objectName, id: recordId }),
  body: sentFields,
  reply: record,
  requestHeaders: ['If-Match!'],
  etag: true,
  errors: [
    ...saveErrors,
    ...rowErrors,
    'record.not_found',
    'conflict.stale_version',
    'request.precondition_required',
    'request.malformed',
  ],
  handle: async (request) => {
    const { object, id } = request.params
    const { records } = request.services
    const ifMatch = request.raw.request.get('If-Match')
    if (records.isRemote(callerOf(request), [object])) {
      const version = rowVersionOf(ifMatch, { required: true })
      const change = { object, id, version, fields: request.body }
      return rowReply(await records.rows.update(callerOf(request), change), 200)
    }
    const version = versionOf(ifMatch, { required: true })
    const saved = await saveOne(request, { op: 'update', object, id, version, fields: request.body })
    return recordReply(saved, object, 200)
  },
})

export const recomputeRecord = defineRoute({
  method: 'post',
  path: '/data/v3/{object}/{id}/recompute',
  name: 'recomputeRecord',
  summary: 'Compute the stored values of a record with the active generation, and store them',
  effect: 'writes',
  params: z.strictObject({ object: objectName, id: recordId }),
  reply: record,
  requestHeaders: ['Idempotency-Key', 'If-Match'],
  etag: true,
  errors: [
    ...saveErrors,
    'record.not_found',
    'conflict.stale_version',
    'conflict.idempotency_key',
    'request.malformed',
  ],
  handle: async (request) => {
    const { object, id } = request.params
    const version = versionOf(request.raw.request.get('If-Match'), { required: false })
    const saved = await saveOne(request, { op: 'recompute', object, id, version, fields: {} })
    return recordReply(saved, object, 200)
  },
})

export const deleteRecord = defineRoute({
  method: 'delete',
  path: '/data/v3/{object}/{id}',
  name: 'deleteRecord',
  summary: 'Delete a record to which no other record refers',
  effect: 'writes',
  params: z.strictObject({ object: objectName, id: recordId }),
  status: 204,
  requestHeaders: ['If-Match'],
  errors: [
    ...saveErrors,
    ...rowErrors,
    'record.not_found',
    'record.referenced',
    'conflict.stale_version',
    'request.malformed',
  ],
  handle: async (request) => {
    const { object, id } = request.params
    const { records } = request.services
    const ifMatch = request.raw.request.get('If-Match')
    if (records.isRemote(callerOf(request), [object])) {
      const version = rowVersionOf(ifMatch, { required: false })
      await records.rows.delete(callerOf(request), { object, id, version })
    } else {
      const version = versionOf(ifMatch, { required: false })
      await saveOne(request, { op: 'delete', object, id, version, fields: {} })
    }
    return emptyReply({ status: 204 })
  },
})

/** Items of one batch. */
const maxItems = 200
/** Larger records are saved in several requests, because the body is read on the readers' thread. */
const batchBudget = { bytes: 2 * mebibyte, elements: 20_000 }
const allOrNone = z.boolean().default(false).meta({ description: 'Whether a failed item undoes all others.' })

export const batchRecords = defineRoute({
  method: 'post',
  path: '/data/v3/{object}/batch',
  name: 'saveBatch',
  summary: 'Save up to 200 records of an object in one transaction',
  effect: 'writes',
  params: z.strictObject({ object: objectName }),
  body: z.strictObject({ allOrNone, records: z.array(batchItem) }),
  budget: batchBudget,
  reply: z.object({ results: z.array(batchResult) }),
  requestHeaders: ['Idempotency-Key'],
  errors: ['limit.busy', 'limit.save_deadline', 'limit.too_many_elements', 'conflict.idempotency_key'],
  handle: async (request) => {
    const { object } = request.params
    const { records, allOrNone } = request.body
    const items = records.map((item) => ({ ...item, object }))
    return batchReply(request, await save(request, items, { allOrNone, reply: 'ids' }))
  },
})

export const batchObjects = defineRoute({
  method: 'post',
  path: '/data/v3/batch',
  name: 'saveObjectBatch',
  summary:
    'Save up to 200 records of several objects in one transaction; an item can refer to an earlier one',
  effect: 'writes',
  body: z.strictObject({ allOrNone, records: z.array(objectBatchItem) }),
  budget: batchBudget,
  reply: z.object({ results: z.array(batchResult) }),
  requestHeaders: ['Idempotency-Key'],
  errors: ['limit.busy', 'limit.save_deadline', 'limit.too_many_elements', 'conflict.idempotency_key'],
  handle: async (request) => {
    const { records, allOrNone } = request.body
    return batchReply(request, await save(request, records, { allOrNone, reply: 'ids' }))
  },
})

type Saved = Extract<ItemReply, { ok: true }>

/** @throws AlmanacError of the item */
async function saveOne(request: SaveRequest, item: CommandItem): Promise<Saved> {
  const { results } = await save(request, [item], { allOrNone: false, reply: 'records' })
  const [result] = results
  if (result!.ok) return result as Saved
  const { code, message, details } = result!.error
  throw new AlmanacError(code, message, { details })
}

async function save(
  request: SaveRequest,
  items: readonly CommandItem[],
  terms: { allOrNone: boolean; reply: 'records' | 'ids' },
): Promise<SaveReply> {
  if (items.length > maxItems)
    throw new AlmanacError(
      'limit.too_many_elements',
      `records: at most ${maxItems} items in one request, not ${items.length}. Send the others in further requests.`,
    )
  const { services, snapshot, by, identity, scopePath } = request
  return services.records.save({
    client: identity.client,
    ...{ generation: snapshot.generation, user: by.actor, correlationId: by.correlationId, scopePath },
    ...{ items, ...terms, idempotency: idempotencyOf(request) },
  })
}

function recordReply(
  { id, version, record: shown }: Saved,
  object: string,
  status: 200 | 201,
): Reply<RecordJson> {
  const json = shown ?? { id, object, version: version!, fields: {} }
  return rowReply({ ...json, id }, status)
}

function rowReply(json: RecordJson, status: 200 | 201): Reply<RecordJson> {
  const path = `/data/v3/${json.object}/${encodeURIComponent(json.id)}`
  const location: Record<string, string> = status === 201 ? { Location: path } : {}
  return jsonReply(json, { status, headers: { ...etagHeader(json), ...location } })
}

/** A repeated request could not be recognised, because nothing of it is stored here. @throws AlmanacError `request.invalid` */
function refuseIdempotencyKey(request: SaveRequest, object: string): void {
  if (idempotencyOf(request) === undefined) return
  throw new AlmanacError(
    'request.invalid',
    `Idempotency-Key: ${object} is virtual, so nothing of the request is stored here and a repeated one would add a second row. Leave the header out. After an unknown outcome, look for the row before you send it again.`,
  )
}

const statuses = { insert: 201, update: 200, recompute: 200, delete: 204 } as const

function batchReply(
  { correlationId }: SaveRequest,
  { results }: SaveReply,
): { results: z.input<typeof batchResult>[] } {
  return {
    results: results.map((result) => {
      if (!result.ok) {
        const { code, message, details } = result.error
        const error = problemOf(new AlmanacError(code, message, { details }), correlationId)
        return { status: error.status, error: error as z.input<typeof batchResult>['error'] }
      }
      const { op, id, version } = result
      return { status: statuses[op], id, ...(version === null ? {} : { version }) }
    }),
  }
}
