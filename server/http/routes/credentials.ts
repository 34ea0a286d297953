// Writes the secrets of external credentials, and shows when and by whom they were written. Nothing returns a secret.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { CredentialSecrets, CredentialView } from '#wire/credentials.ts'
import { emptyReply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import { componentKey } from '../schemas/common.ts'
import { userConsent } from '../schemas/consents.ts'
import type { Services } from '../services.ts'

const permission = 'integration.manage_credentials'

const written = z.object({ version: z.int(), at: z.string(), by: z.string(), slots: z.array(z.string()) })

const principalSecrets = z
  .object({
    user: z.string().nullable().meta({ description: 'Null for secrets that all users share.' }),
    current: written.nullable(),
    next: written.nullable().meta({ description: 'Staged until they are promoted.' }),
    prior: z
      .object({ ...written.shape, until: z.string() })
      .nullable()
      .meta({ description: 'Replaced, and valid for what others send until then.' }),
    lastUsedAt: z.string().nullable(),
  })
  .meta({ id: 'PrincipalSecrets' })

const credentialSecrets = z
  .object({
    credential: z.string(),
    label: z.string(),
    scheme: z.string(),
    principals: z.array(
      z.object({
        key: z.string(),
        mode: z.enum(['named', 'per_user']),
        slots: z.array(
          z.object({
            name: z.string(),
            required: z.boolean(),
            canBeEmpty: z.boolean().meta({ description: 'Whether an empty text is a value.' }),
            perUser: z.boolean().meta({ description: 'Whether each user has a value of their own.' }),
          }),
        ),
        secrets: z.array(principalSecrets),
      }),
    ),
  })
  .meta({ id: 'CredentialSecrets' })

const consents = z.array(userConsent).meta({
  description: 'The users who have given consent, or were asked for it; none while the vault is locked.',
})

async function withConsents(services: Services, found: CredentialSecrets): Promise<CredentialView> {
  try {
    return { ...found, consents: await services.outside().consents.of(found.credential) }
  } catch (error) {
    if (error instanceof AlmanacError && error.code === 'vault.key') return { ...found, consents: [] }
    throw error
  }
}

const user = z.string().min(1).max(200).optional().meta({
  description: 'The user whose secrets they are, if each user has their own.',
})
const ofPrincipal = z.strictObject({ credential: componentKey, principal: componentKey })
const placeErrors = ['component.not_found', 'user.not_found', 'request.invalid', 'vault.key'] as const

export const listCredentials = defineRoute({
  method: 'get',
  path: '/setup/v3/credentials',
  name: 'listCredentials',
  summary: 'List the external credentials, with when and by whom their secrets were written',
  effect: 'reads',
  permission,
  reply: z.object({ credentials: z.array(credentialSecrets.extend({ consents })) }),
  errors: [],
  handle: async ({ services, by }) => {
    const found = await services.credentials.list(by)
    return { credentials: await Promise.all(found.map((each) => withConsents(services, each))) }
  },
})

export const getCredential = defineRoute({
  method: 'get',
  path: '/setup/v3/credentials/{credential}',
  name: 'getCredential',
  summary: 'Show when and by whom the secrets of a credential were written; nothing returns a secret',
  effect: 'reads',
  permission,
  params: z.strictObject({ credential: componentKey }),
  reply: credentialSecrets.extend({ consents }),
  errors: ['component.not_found'],
  handle: async ({ services, by, params }) =>
    withConsents(services, await services.credentials.get(by, params.credential)),
})

export const stageSecrets = defineRoute({
  method: 'put',
  path: '/setup/v3/credentials/{credential}/principals/{principal}/next',
  name: 'stageSecrets',
  summary: 'Write the next secrets of a principal; if it has none, they are the current ones at once',
  effect: 'writes',
  permission,
  params: ofPrincipal,
  secrets: ['values'],
  body: z.strictObject({
    values: z
      .record(z.string().min(1).max(200), z.string())
      .meta({ description: 'Name → secret. All secrets of the principal are written together.' }),
    user,
  }),
  status: 204,
  errors: [...placeErrors],
  handle: async ({ services, by, params, body }) => {
    await services.credentials.stage(by, { ...params, user: body.user }, body.values)
    return emptyReply({ status: 204 })
  },
})

export const promoteSecrets = defineRoute({
  method: 'post',
  path: '/setup/v3/credentials/{credential}/principals/{principal}/promote',
  name: 'promoteSecrets',
  summary:
    'Make the staged secrets the current ones; the prior ones stay valid for what others send until the grace ends',
  effect: 'writes',
  permission,
  params: ofPrincipal,
  body: z
    .strictObject({
      graceHours: z
        .int()
        .min(0)
        .max(720)
        .default(24)
        .meta({ description: 'Hours until the prior secrets are destroyed.' }),
      user,
    })
    .prefault({}),
  status: 204,
  errors: [...placeErrors, 'secret.not_staged'],
  handle: async ({ services, by, params, body }) => {
    await services.credentials.promote(by, { ...params, user: body.user }, body.graceHours)
    return emptyReply({ status: 204 })
  },
})

const userQuery = z.strictObject({ user })

export const unstageSecrets = defineRoute({
  method: 'delete',
  path: '/setup/v3/credentials/{credential}/principals/{principal}/next',
  name: 'unstageSecrets',
  summary: 'Destroy the staged secrets of a principal',
  effect: 'writes',
  permission,
  params: ofPrincipal,
  query: userQuery,
  status: 204,
  errors: [...placeErrors, 'secret.not_staged'],
  handle: async ({ services, by, params, query }) => {
    await services.credentials.unstage(by, { ...params, user: query.user })
    return emptyReply({ status: 204 })
  },
})

export const removeSecrets = defineRoute({
  method: 'delete',
  path: '/setup/v3/credentials/{credential}/principals/{principal}',
  name: 'removeSecrets',
  summary:
    'Destroy all secrets of a principal at once, such as after a leak; calls with it fail until new ones are written',
  effect: 'writes',
  permission,
  params: ofPrincipal,
  query: userQuery,
  status: 204,
  errors: [...placeErrors, 'secret.absent'],
  handle: async ({ services, by, params, query }) => {
    await services.credentials.remove(by, { ...params, user: query.user })
    return emptyReply({ status: 204 })
  },
})

export const getVault = defineRoute({
  method: 'get',
  path: '/setup/v3/vault',
  name: 'getVault',
  summary: 'Show the state of the encrypted store of secrets, and what wraps its data key',
  effect: 'reads',
  permission,
  reply: z
    .object({
      state: z.enum(['empty', 'open', 'locked']),
      reason: z.string().nullable().meta({ description: 'Why it is locked; null if it is not.' }),
      keys: z.array(
        z.object({ id: z.string(), service: z.string(), wrappedBy: z.string(), createdAt: z.string() }),
      ),
      values: z.int().meta({ description: 'How many secrets and tokens it contains.' }),
      unopened: z
        .array(
          z.object({
            ...{
              credential: z.string(),
              principal: z.string(),
              user: z.string().nullable(),
              name: z.string(),
            },
          }),
        )
        .meta({ description: 'Those that do not open, the first hundred.' }),
    })
    .meta({ id: 'Vault' }),
  errors: [],
  handle: ({ services, by }) => services.credentials.vault(by),
})

export const renewVaultKey = defineRoute({
  method: 'post',
  path: '/setup/v3/vault/renew',
  name: 'renewVaultKey',
  summary: 'Encrypt every secret again with a new data key, and destroy the old one',
  effect: 'writes',
  permission,
  status: 204,
  errors: ['vault.key'],
  handle: async ({ services, by }) => {
    await services.credentials.renewKey(by)
    return emptyReply({ status: 204 })
  },
})
