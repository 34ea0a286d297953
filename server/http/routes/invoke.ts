// Calls of operations: invocable automations that are granted to a permission set of the caller.
import { z } from 'zod'
import { idempotencyOf } from '../idempotency-key.ts'
import { defineRoute } from '../route.ts'
import { civilDate } from '../schemas/common.ts'
import { calloutErrors } from '../callout-errors.ts'
import { fieldValue } from '../schemas/records.ts'

const operation = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'The key of an invocable automation that is granted to you.' })

export const invokeOperation = defineRoute({
  method: 'post',
  path: '/invoke/v3/{operation}',
  name: 'invokeOperation',
  summary: 'Call an operation',
  effect: 'writes',
  params: z.strictObject({ operation }),
  body: z.strictObject({
    params: z
      .record(z.string().max(200), z.unknown())
      .default({})
      .meta({ description: 'A value for each parameter of the operation; null if it has no value.' }),
    asOf: civilDate
      .optional()
      .meta({ description: 'Required if the operation reads an effective-dated set.' }),
  }),
  reply: z
    .object({
      operation: z.string(),
      generation: z.int(),
      ran: z.boolean().meta({ description: 'False if the condition of the operation is false.' }),
      returns: z.record(z.string(), fieldValue),
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
    'limit.save_depth',
    'limit.save_deadline',
    'limit.save_records',
    ...calloutErrors,
  ],
  handle: (request) => {
    const { services, snapshot, by, identity, scopePath, params, body } = request
    return services.records.call({
      ...{ operation: params.operation, params: body.params, asOf: body.asOf ?? null },
      ...{ generation: snapshot.generation, user: by.actor, correlationId: by.correlationId, scopePath },
      ...{ client: identity.client, idempotency: idempotencyOf(request) },
    })
  },
})
