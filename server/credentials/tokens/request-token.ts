// Sends one request to a token endpoint and reads the response.
import { CalloutFault, type CalloutFaultKind } from '../../ports/callout-transport.ts'
import { slotValues, trustOptions, type SlotValues } from '../schemes/index.ts'
import { clientProof, type ClientProof } from './client-authentication.ts'
import { signAssertion } from './signed-assertion.ts'
import type { AssertionBody, CodeBody, SigningDeps, TokenCredential, TokenDeps } from './token-call.ts'
import { readTokenResponse, type TokenOutcome } from './token-response.ts'

type ClientCredential = TokenCredential<Exclude<TokenCredential['body'], AssertionBody>>

/** A token for the client itself. */
export function requestForClient(credential: ClientCredential, deps: TokenDeps): Promise<TokenOutcome> {
  const { scopes, audience } = credential.body
  return requestAsClient(
    credential,
    { grant_type: 'client_credentials', ...named({ audience }), ...scoped(scopes) },
    deps,
  )
}

/** A token for what a signed assertion states (RFC 7523). */
export async function requestForAssertion(
  credential: TokenCredential<AssertionBody>,
  deps: TokenDeps,
): Promise<TokenOutcome> {
  const { body } = credential
  const slots = slotValues(credential.credential, credential.secrets)
  const parameters = {
    ...body.tokenParameters,
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: await assertionOf(body, slots, deps),
    ...scoped(body.scopes),
  }
  return send(credential, slots, { headers: {}, parameters }, deps)
}

function assertionOf(body: AssertionBody, slots: SlotValues, deps: SigningDeps): Promise<string> {
  const iss = body.issuer ?? slots.required('clientId')
  const claims = { ...body.claims, iss, sub: body.subject ?? iss, aud: body.audience ?? body.tokenUrl }
  return signAssertion(claims, body, slots, deps)
}

/** Makes what a token request proves the client with, and sends nothing. @throws UnusableSecret */
export async function requireProof(
  { credential, body, secrets }: TokenCredential,
  deps: SigningDeps,
): Promise<void> {
  const slots = slotValues(credential, secrets)
  if (body.scheme === 'oauth2_jwt_bearer') await assertionOf(body, slots, deps)
  else await clientProof(body, slots, deps)
}

/** New tokens for a refresh token. The scopes are those of the consent. */
export function refresh(
  credential: TokenCredential<CodeBody>,
  refreshToken: string,
  deps: TokenDeps,
): Promise<TokenOutcome> {
  const { audience } = credential.body
  return requestAsClient(
    credential,
    { grant_type: 'refresh_token', refresh_token: refreshToken, ...named({ audience }) },
    deps,
  )
}

/** A request that the client authenticates. `parameters` take precedence over those of the body. */
export async function requestAsClient(
  credential: ClientCredential,
  parameters: Record<string, string>,
  deps: TokenDeps,
): Promise<TokenOutcome> {
  const slots = slotValues(credential.credential, credential.secrets)
  const proof = await clientProof(credential.body, slots, deps)
  const all = { ...credential.body.tokenParameters, ...parameters, ...proof.parameters }
  return send(credential, slots, { headers: proof.headers, parameters: all }, deps)
}

async function send(
  { body }: TokenCredential,
  slots: SlotValues,
  { headers, parameters }: ClientProof,
  { send, clock }: TokenDeps,
): Promise<TokenOutcome> {
  const call = {
    method: 'POST' as const,
    url: body.tokenUrl,
    headers: {
      ...headers,
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(parameters).toString(),
    tls: trustOptions(slots),
  }
  try {
    return readTokenResponse(await send(call), clock.now())
  } catch (error) {
    return outcomeOf(error)
  }
}

/** The error itself is left out: it, or what caused it, can contain the request. */
function outcomeOf(error: unknown): TokenOutcome {
  return error instanceof CalloutFault ? faults[error.kind] : { kind: 'passing', reason: 'the call failed' }
}

const faults: Record<CalloutFaultKind, TokenOutcome> = {
  unreachable: { kind: 'passing', reason: 'it cannot be reached' },
  address: { kind: 'refused', reason: 'calls to its address are not allowed' },
  tls: { kind: 'passing', reason: 'its certificate is not valid or not trusted' },
  timeout: { kind: 'passing', reason: 'it did not respond in time' },
  lost: { kind: 'passing', reason: 'the connection was lost' },
  too_large: { kind: 'refused', reason: 'its response is too large' },
  unreadable: { kind: 'refused', reason: 'its response cannot be read' },
  cancelled: { kind: 'passing', reason: 'the call was cancelled' },
  invalid: { kind: 'refused', reason: 'the request cannot be sent' },
}

function scoped(scopes: readonly string[]): Record<string, string> {
  return scopes.length === 0 ? {} : { scope: scopes.join(' ') }
}

function named(parameters: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).filter((each): each is [string, string] => each[1] !== undefined),
  )
}
