// Calls of operations that are granted to a permission set of the caller: invocable automations, and the operations of
// external services.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ServiceOperationResult } from '#wire/records.ts'
import { idempotencyOf } from '../idempotency-key.ts'
import { defineRoute, type SignedInRequest } from '../route.ts'
import { civilDate } from '../schemas/common.ts'
import { calloutErrors } from '../callout-errors.ts'

const attempt = z.object({
  n: z.int(),
  at: z.string(),
  endpoint: z.string(),
  status: z.int().nullable(),
  latencyMs: z.number(),
  error: z.unknown(),
})

const operation = z.string().min(1).max(400).meta({
  description: 'The key of an invocable automation, or <service>.<operation>, that is granted to you.',
})

export const invokeOperation = defineRoute({
  method: 'post',
  path: '/invoke/v3/{operation}',
  name: 'invokeOperation',
  summary: 'Call an operation',
  effect: 'writes',
  params: z.strictObject({ operation }),
  body: z.strictObject({
    params: z.record(z.string().max(200), z.unknown()).default({}).meta({
      description:
        'A value for each parameter of the operation; null if it has no value. The body of an operation of a service is the parameter "body".',
    }),
    asOf: civilDate
      .optional()
      .meta({ description: 'Required if the operation reads an effective-dated set.' }),
  }),
  reply: z
    .object({
      operation: z.string(),
      generation: z.int(),
      ran: z.boolean().meta({ description: 'False if the condition of the operation is false.' }),
      returns: z.record(z.string(), z.unknown()).meta({
        description: 'The returned values; of an operation of a service, status and body.',
      }),
      attempts: z
        .array(attempt)
        .optional()
        .meta({ description: 'How an operation of a service was called.' }),
    })
    .meta({ id: 'OperationResult' }),
  requestHeaders: ['Idempotency-Key'],
  errors: [
    'operation.not_found',
    'limit.busy',
    'request.invalid',
    'config.as_of_required',
    'record.invalid',
    'conflict.idempotency_key',
    'record.erased',
    'conflict.operation_running',
    'integration.wrong_type',
    'limit.save_depth',
    'limit.save_deadline',
    'limit.save_records',
    ...calloutErrors,
  ],
  handle: async (request) => {
    const { services, snapshot, by, identity, scopePath, params, body } = request
    if (params.operation.includes('.')) return callService(request)
    return services.records.call({
      ...{ operation: params.operation, params: body.params, asOf: body.asOf ?? null },
      ...{ generation: snapshot.generation, user: by.actor, correlationId: by.correlationId, scopePath },
      ...{ client: identity.client, idempotency: idempotencyOf(request) },
    })
  },
})

type InvokeRequest = SignedInRequest<
  { operation: string },
  unknown,
  { params: Readonly<Record<string, unknown>> }
>

async function callService(request: InvokeRequest): Promise<ServiceOperationResult> {
  const { services, snapshot, access, by, params, body } = request
  const idempotency = idempotencyOf(request)
  const {
    status,
    body: value,
    attempts,
  } = await services.serviceCalls.call({
    ...{ operation: params.operation, params: body.params, view: snapshot.view, access },
    ...{ correlationId: by.correlationId, idempotencyKey: idempotency && keyForTarget(idempotency) },
  })
  return {
    ...{ operation: params.operation, generation: snapshot.generation, ran: true },
    ...{ returns: { status, body: value }, attempts: [...attempts] },
  }
}

/** All callers are one to the target: a key of one of them must not get the response to the key of another. */
const keyForTarget = ({ caller, key }: { caller: string; key: string }): string =>
  createHash('sha256')
    .update(JSON.stringify([caller, key]))
    .digest('base64url')
