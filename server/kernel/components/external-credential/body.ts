// Body of an external credential: a scheme, its parameters, its principals; never a secret.
import { z } from 'zod'
import { integerBetween, key, nonEmptyText, sortedUniqueList } from '../shapes.ts'

export const principal = z.strictObject({
  key,
  mode: z.enum(['named', 'per_user']).default('named'),
  /** Permission sets whose holders can use it. */
  grantedTo: sortedUniqueList(key).default([]),
})

const principals = z.array(principal)
const url = nonEmptyText
const scopes = sortedUniqueList(nonEmptyText).default([])
const algorithm = z.enum(['RS256', 'PS256', 'ES256', 'EdDSA'])

/** The defaults of properties that a body leaves out. They are not filled in, so that digests stay what they were. */
export const tokenDefaults = {
  refreshAheadSec: 60,
  refreshOn: [401],
  lifetimeSec: 300,
  algorithm: 'RS256',
} as const

/** What the schemes of OAuth share. */
const oauth = {
  tokenUrl: url,
  scopes,
  audience: nonEmptyText.optional(),
  /** More parameters of token requests, such as `resource`. */
  tokenParameters: z.record(z.string(), z.string()).optional(),
  /** How long before its expiry a token is renewed, in seconds. */
  refreshAheadSec: integerBetween(0, 3600).optional(),
  /** The statuses of a response after which the token is renewed. */
  refreshOn: z.array(integerBetween(400, 499)).optional(),
}

/** How long an assertion is valid, in seconds. */
const lifetimeSec = integerBetween(10, 3600).optional()

/** Of a client that may authenticate with a signed assertion. */
const client = {
  /** The issuer of the authorisation server (RFC 8414); the audience of the assertion. */
  issuer: nonEmptyText.optional(),
  algorithm: algorithm.optional(),
  lifetimeSec,
}

/** A header or query parameter whose value is in the credential store under `name`. */
export const customParameter = z.strictObject({
  in: z.enum(['header', 'query']).default('header'),
  name: nonEmptyText,
})

export const externalCredentialBody = z.discriminatedUnion('scheme', [
  z.strictObject({
    scheme: z.literal('oauth2_client_credentials'),
    ...oauth,
    ...client,
    clientAuthentication: z.enum(['basic', 'body', 'private_key_jwt']).default('basic'),
    principals,
  }),
  z.strictObject({
    scheme: z.literal('oauth2_authorization_code'),
    authorizationUrl: url,
    ...oauth,
    ...client,
    clientAuthentication: z.enum(['basic', 'body', 'private_key_jwt', 'none']).default('basic'),
    /** More parameters of the consent page, such as `access_type`. */
    authorizationParameters: z.record(z.string(), z.string()).optional(),
    principals,
  }),
  z.strictObject({
    scheme: z.literal('oauth2_jwt_bearer'),
    ...oauth,
    lifetimeSec,
    /** If omitted, the client id. */
    issuer: nonEmptyText.optional(),
    subject: nonEmptyText.optional(),
    algorithm: algorithm.default('RS256'),
    /** More claims of the assertion, such as `scope`. */
    claims: z.record(z.string(), z.string()).optional(),
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
