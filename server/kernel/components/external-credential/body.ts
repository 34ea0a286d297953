// Body of an external credential: a scheme, its parameters, its principals; never a secret.
import { z } from 'zod'
import { key, sortedUniqueList, nonEmptyText } from '../shapes.ts'

export const principal = z.strictObject({
  key,
  mode: z.enum(['named', 'per_user']).default('named'),
  /** Permission sets whose holders can use it. */
  grantedTo: sortedUniqueList(key).default([]),
})

const principals = z.array(principal)
const url = nonEmptyText
const scopes = sortedUniqueList(nonEmptyText).default([])

/** A header or query parameter whose value is in the credential store under `name`. */
export const customParameter = z.strictObject({
  in: z.enum(['header', 'query']).default('header'),
  name: nonEmptyText,
})

export const externalCredentialBody = z.discriminatedUnion('scheme', [
  z.strictObject({
    scheme: z.literal('oauth2_client_credentials'),
    tokenUrl: url,
    scopes,
    audience: nonEmptyText.optional(),
    clientAuthentication: z.enum(['basic', 'body']).default('basic'),
    principals,
  }),
  z.strictObject({
    scheme: z.literal('oauth2_authorization_code'),
    authorizationUrl: url,
    tokenUrl: url,
    scopes,
    audience: nonEmptyText.optional(),
    clientAuthentication: z.enum(['basic', 'body']).default('basic'),
    principals,
  }),
  z.strictObject({
    scheme: z.literal('oauth2_jwt_bearer'),
    tokenUrl: url,
    scopes,
    audience: nonEmptyText.optional(),
    subject: nonEmptyText.optional(),
    algorithm: z.enum(['RS256', 'PS256', 'ES256', 'EdDSA']).default('RS256'),
    principals,
  }),
  z.strictObject({ scheme: z.literal('mtls'), principals }),
  z.strictObject({ scheme: z.literal('aws_sigv4'), region: nonEmptyText, service: nonEmptyText, principals }),
  z.strictObject({
    scheme: z.literal('api_key'),
    in: z.enum(['header', 'query']).default('header'),
    name: nonEmptyText.default('X-API-Key'),
    /** Written before the key, as in `Token `. */
    prefix: z.string().optional(),
    principals,
  }),
  z.strictObject({ scheme: z.literal('basic'), principals }),
  z.strictObject({ scheme: z.literal('custom'), parameters: z.array(customParameter), principals }),
])

export type ExternalCredentialBody = z.output<typeof externalCredentialBody>
