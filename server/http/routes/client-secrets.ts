// Creates a secret for a registered client and shows it once.
import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { componentKey } from '../schemas/common.ts'

export const clientSecrets = defineRoute({
  method: 'post',
  path: '/setup/v3/clients/{key}/secrets',
  name: 'makeClientSecret',
  summary: 'Create a client secret; it is shown once, and the previous one stays valid',
  effect: 'writes',
  permission: 'integration.manage_credentials',
  params: z.strictObject({ key: componentKey }),
  status: 201,
  reply: z.object({ client: z.string(), clientId: z.string(), clientSecret: z.string(), valid: z.int() }),
  errors: ['component.not_found', 'request.invalid'],
  handle: ({ services, params, by }) => services.clientSecrets.issueSecret(by, params.key),
})
