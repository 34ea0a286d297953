// What a registered client uses of the data API.
import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { componentKey } from '../schemas/common.ts'
import { callerOf } from '../views/record-caller.ts'

export const getClientUses = defineRoute({
  method: 'get',
  path: '/setup/v3/clients/{key}/uses',
  name: 'listClientUses',
  summary: 'List the fields that a registered client has used, with the last use of each name',
  effect: 'reads',
  permission: 'operations.manage',
  params: z.strictObject({ key: componentKey }),
  reply: z.object({
    uses: z.array(
      z.object({
        kind: z
          .enum(['object', 'field'])
          .meta({ description: 'Whether the name is one of a field, or of the object itself.' }),
        object: z.string().nullable().meta({ description: 'Null if the object no longer exists.' }),
        field: z
          .string()
          .nullable()
          .meta({ description: 'Null if the field no longer exists, and for the object itself.' }),
        name: z.string().meta({ description: 'The key or alias that the client used.' }),
        at: z.string().meta({ description: 'Of the last use, to the minute.' }),
      }),
    ),
  }),
  errors: ['access.denied'],
  handle: async (request) => ({
    uses: await request.services.records.clientUses(callerOf(request), request.params.key),
  }),
})
