// The token endpoint: exchanges client credentials for an opaque bearer token of one hour (RFC 6749).
import type { Request, Response } from 'express'
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { AssertionError } from '../../clients/index.ts'
import { toAlmanacError, problemOf } from '../problem.ts'
import { definePublicRoute } from '../route.ts'
import { jsonReply } from '../reply.ts'
import type { Services } from '../services.ts'
import { addressOf } from '../site.ts'
import { tokenEndpointOf, jwtBearer, tokenPath } from '../oauth-server.ts'

const lifetimeSeconds = 3600

// A token endpoint ignores unknown parameters (RFC 6749, 3.2).
const form = z.object({
  grant_type: z.string(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  client_assertion_type: z.string().optional(),
  client_assertion: z.string().optional(),
  assertion: z.string().optional(),
  scope: z.string().optional(),
})

/** RFC 6749, 5.2. */
const oauthError = z
  .object({ error: z.string(), error_description: z.string() })
  .meta({ id: 'OAuthError', description: 'An error of the token endpoint, in the format of OAuth 2.0.' })

class OAuthError extends Error {
  readonly status: number
  readonly error: string

  constructor(status: number, error: string, description: string) {
    super(description)
    this.status = status
    this.error = error
  }
}

export const oauthToken = definePublicRoute({
  method: 'post',
  path: tokenPath,
  name: 'issueToken',
  summary: 'Create a bearer token for a registered client with its secret or with a signed assertion',
  body: form,
  bodyMedia: 'application/x-www-form-urlencoded',
  budget: { bytes: 16 * 1024 },
  reply: z.object({ access_token: z.string(), token_type: z.literal('Bearer'), expires_in: z.int() }),
  errors: ['auth.invalid', 'auth.throttled'],
  sendForeignError: refuseAsOAuth,
  foreignErrorFormat: { statuses: [400, 401, 405, 413, 429], body: oauthError },
  async handle({ services, body, correlationId, raw }) {
    // Counted apart from passwords, so that a token of one client does not reset the guesses at a password.
    const address = `token ${addressOf(services.site, raw.request)}`
    services.throttle.check(address)
    let token: string
    try {
      token = await tokenFor(services, await provedClient(services, raw.request, body), correlationId)
    } catch (error) {
      if (error instanceof OAuthError && isFailedProof(error)) services.throttle.recordFailure(address)
      throw error
    }
    services.throttle.reset(address)
    return jsonReply(
      { access_token: token, token_type: 'Bearer' as const, expires_in: lifetimeSeconds },
      { headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' } },
    )
  },
})

interface ProvedClient {
  client: string
  /** The user of the operating system who created its secret. */
  operatorName?: string | undefined
  /** The thumbprint of the public key that verified its assertion. */
  key?: string | undefined
}

const isFailedProof = ({ error }: OAuthError): boolean =>
  error === 'invalid_client' || error === 'invalid_grant'

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** The client of a request, by a secret or by an assertion (RFC 7523, 2.1 and 2.2). @throws OAuthError */
async function provedClient(services: Services, request: Request, body: Form): Promise<ProvedClient> {
  if (body.grant_type === jwtBearer) {
    if (body.assertion === undefined)
      throw new OAuthError(400, 'invalid_request', 'Send the signed assertion as "assertion".')
    return grantedClient(services, request, { ...body, assertion: body.assertion })
  }
  if (body.grant_type !== 'client_credentials')
    throw new OAuthError(
      400,
      'unsupported_grant_type',
      `The grant type must be client_credentials or ${jwtBearer}, not ${body.grant_type}.`,
    )
  if (body.client_assertion === undefined) return secretClient(services, request, body)
  if (hasSecret(request, body))
    throw new OAuthError(400, 'invalid_request', 'Send a client assertion or a client secret, not both.')
  return assertingClient(services, { ...body, client_assertion: body.client_assertion })
}

type Form = z.output<typeof form>

const hasSecret = (request: Request, body: Form): boolean =>
  body.client_secret !== undefined || request.headers.authorization !== undefined

/** The client that proves itself with a client assertion. @throws OAuthError */
async function assertingClient(
  services: Services,
  body: Form & { client_assertion: string },
): Promise<ProvedClient> {
  if (body.client_assertion_type !== assertionType)
    throw new OAuthError(400, 'invalid_request', `The client_assertion_type must be ${assertionType}.`)
  const proved = await assertedClient(services, body.client_assertion, [401, 'invalid_client'])
  if (body.client_id !== undefined && body.client_id !== proved.client)
    throw new OAuthError(401, 'invalid_client', 'The client_id is not the client of the assertion.')
  return proved
}

/** An assertion as a grant is a proof, too; any further one is verified (RFC 7521, 4.1). @throws OAuthError */
async function grantedClient(
  services: Services,
  request: Request,
  { assertion, ...body }: Form & { assertion: string },
): Promise<ProvedClient> {
  if (hasSecret(request, body))
    throw new OAuthError(400, 'invalid_request', 'Send the assertion without a client secret.')
  const proved = await assertedClient(services, assertion, [400, 'invalid_grant'])
  const { client_assertion } = body
  const named =
    client_assertion === undefined
      ? (body.client_id ?? proved.client)
      : (await assertingClient(services, { ...body, client_assertion })).client
  if (named !== proved.client)
    throw new OAuthError(400, 'invalid_grant', 'The assertion is for a different client than the request.')
  return proved
}

async function assertedClient(
  { clientAssertions, site }: Services,
  assertion: string,
  [status, code]: [number, string],
): Promise<ProvedClient> {
  try {
    return await clientAssertions.verify(assertion, [site.issuer, tokenEndpointOf(site)])
  } catch (error) {
    if (error instanceof AssertionError) throw new OAuthError(status, code, error.message)
    throw error
  }
}

function secretClient(services: Services, request: Request, body: Form): ProvedClient {
  const { client, secret } = credentialsOf(request, body)
  if (!services.clientSecrets.isValidSecret(client, secret)) throw unknownClient()
  return { client, operatorName: services.clientSecrets.operatorOf(client, secret) ?? undefined }
}

const unknownClient = (): OAuthError =>
  new OAuthError(401, 'invalid_client', 'The client is unknown, or its secret is not valid.')

/** @throws OAuthError if the client cannot get a token; the same for all causes */
async function tokenFor(
  { access }: Services,
  { client, operatorName, key }: ProvedClient,
  correlationId: string,
): Promise<string> {
  try {
    const by = { actor: `client/${client}`, correlationId, operatorName }
    return (await access.issueToken(by, client, key)).token
  } catch (error) {
    if (error instanceof AlmanacError && error.kind.status < 500) throw unknownClient()
    throw error
  }
}

/** Reads the credentials from the header or the form, never from both (RFC 6749, 2.3.1). */
function credentialsOf(request: Request, body: Form): { client: string; secret: string } {
  const basic = /^Basic +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const inForm = body.client_secret !== undefined
  if (basic !== undefined && inForm)
    throw new OAuthError(
      400,
      'invalid_request',
      'Send the client secret in the header or in the form, not both.',
    )
  if (basic !== undefined) {
    const [client = '', secret = ''] = splitOnce(Buffer.from(basic, 'base64').toString('utf8')).map(
      decodeFormValue,
    )
    return { client, secret }
  }
  if (body.client_id === undefined || body.client_secret === undefined)
    throw new OAuthError(401, 'invalid_client', 'Send the client id and the client secret.')
  return { client: body.client_id, secret: body.client_secret }
}

function splitOnce(pair: string): [string, string] {
  const colon = pair.indexOf(':')
  return colon < 0 ? [pair, ''] : [pair.slice(0, colon), pair.slice(colon + 1)]
}

function decodeFormValue(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Sends errors in the format of OAuth (RFC 6749, 5.2); errors of the server keep the envelope of the platform. */
function refuseAsOAuth(error: unknown, response: Response): boolean {
  const { status, code, detail } = problemOf(error, '')
  if (error instanceof OAuthError) {
    if (error.status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="almanac"')
    send(response, error.status, error.error, error.message)
    return true
  }
  if (error instanceof AlmanacError && code === 'auth.throttled') {
    response.setHeader('Retry-After', String(error.retryAfter ?? 60))
    send(response, status, 'temporarily_unavailable', detail)
    return true
  }
  if (toAlmanacError(error) === null) return false
  // A body of the wrong type or form is an invalid request too; errors of size and method keep their status.
  send(response, status === 405 || status === 413 ? status : 400, 'invalid_request', detail)
  return true
}

function send(response: Response, status: number, error: string, description: string): void {
  response.setHeader('Cache-Control', 'no-store')
  response.status(status).json({ error, error_description: description })
}
