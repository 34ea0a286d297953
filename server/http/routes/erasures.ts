// Erases the sensitive values of a record, on the request of the person whose values they are.
import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { objectName, recordId } from '../schemas/records.ts'
import { callerOf } from '../views/record-caller.ts'

export const eraseRecord = defineRoute({
  method: 'post',
  path: '/setup/v3/erasures',
  name: 'eraseRecord',
  summary:
    'Erase the sensitive values of a record, which can be a deleted one, from everything that is stored; this cannot be undone',
  effect: 'writes',
  permission: 'operations.manage',
  body: z.strictObject({
    object: objectName,
    id: recordId,
    reason: z
      .string()
      .trim()
      .min(1)
      .max(1000)
      .meta({ description: 'Why, for the audit, without personal data: such as the number of the request.' }),
  }),
  reply: z.object({
    fields: z
      .array(z.string())
      .meta({ description: 'The sensitive fields that the object has now, or had when it was removed.' }),
    records: z.int().meta({
      description: 'Records that had these values, or values that were computed from them, now or earlier.',
    }),
    changes: z.int().meta({ description: 'Changes in the history that were replaced.' }),
    continues: z.boolean().meta({
      description: 'Whether a job still erases what was computed from the values in other records.',
    }),
  }),
  errors: ['access.denied', 'object.not_found', 'record.not_found', 'request.invalid'],
  handle: async (request) => {
    const { services, body, by } = request
    const erasure = await services.records.erase(callerOf(request), by, body)
    if (erasure.continues) services.recordJobs?.wake()
    return erasure
  },
})
