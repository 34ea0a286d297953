// Creates secrets and API keys of a registered client, which are shown once; lists and revokes them.
import { z } from 'zod'
import { emptyReply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import { componentKey } from '../schemas/common.ts'
import { rootWords } from './clients.ts'

const expiresAt = z.string().nullable().meta({ description: 'Null if it does not expire.' })

export const clientSecrets = defineRoute({
  method: 'post',
  path: '/setup/v3/clients/{key}/secrets',
  name: 'makeClientSecret',
  summary: 'Create a client secret or an API key; it is shown once, and the previous one stays valid',
  effect: 'writes',
  permission: 'integration.manage_credentials',
  params: z.strictObject({ key: componentKey }),
  body: z
    .strictObject({
      days: z
        .int()
        .min(1)
        .max(3650)
        .optional()
        .meta({ description: 'Days until it expires; never if omitted.' }),
    })
    .prefault({}),
  status: 201,
  reply: z.object({
    ...{ client: z.string(), clientId: z.string(), clientSecret: z.string(), valid: z.int() },
    ...{ id: z.string(), expiresAt },
    isRoot: z.boolean().meta({ description: rootWords }),
  }),
  errors: ['component.not_found', 'request.invalid'],
  handle: ({ services, params, body, by }) => services.clientSecrets.issueSecret(by, params.key, body.days),
})

export const listClientSecrets = defineRoute({
  method: 'get',
  path: '/setup/v3/clients/{key}/secrets',
  name: 'listClientSecrets',
  summary: 'List the valid secrets or API keys of a client, without the secrets',
  effect: 'reads',
  permission: 'integration.manage_credentials',
  params: z.strictObject({ key: componentKey }),
  reply: z.object({
    secrets: z.array(
      z.object({
        id: z.string(),
        createdAt: z.string().nullable().meta({ description: 'Null if it was not recorded.' }),
        createdBy: z.string().nullable(),
        expiresAt,
      }),
    ),
  }),
  errors: ['component.not_found'],
  handle: ({ services, params, by }) => ({ secrets: services.clientSecrets.listSecrets(by, params.key) }),
})

export const revokeClientSecret = defineRoute({
  method: 'delete',
  path: '/setup/v3/clients/{key}/secrets/{id}',
  name: 'revokeClientSecret',
  summary: 'End a secret or an API key of a client, and all tokens of the client',
  effect: 'writes',
  permission: 'integration.manage_credentials',
  params: z.strictObject({ key: componentKey, id: z.string().min(1).max(80) }),
  status: 204,
  errors: ['component.not_found', 'secret.not_found'],
  handle: async ({ services, params, by }) => {
    await services.clientSecrets.revokeSecret(by, params.key, params.id)
    return emptyReply({ status: 204 })
  },
})
