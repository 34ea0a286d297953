// Ends the consent of a user: checks what came back, and exchanges the code for tokens.
import { timingSafeEqual } from 'node:crypto'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { PendingConsent } from './authorization-request.ts'
import { requestAsClient } from './request-token.ts'
import type { CodeBody, TokenCredential, TokenDeps } from './token-call.ts'
import type { IssuedTokens } from './token-response.ts'

/** @param query the query of the URL that the user returned to. @throws AlmanacError without the code */
export async function exchangeCode(
  credential: TokenCredential<CodeBody>,
  pending: PendingConsent,
  query: string,
  deps: TokenDeps,
): Promise<IssuedTokens> {
  const code = readCallback(credential, pending, new URLSearchParams(query))
  const outcome = await requestAsClient(
    credential,
    {
      grant_type: 'authorization_code',
      code,
      redirect_uri: pending.redirectUri,
      code_verifier: pending.codeVerifier,
    },
    deps,
  )
  switch (outcome.kind) {
    case 'issued':
      return outcome.tokens
    case 'revoked':
      throw failed(credential, 'the authorisation server does not accept the code, which expires quickly')
    case 'refused':
    case 'passing':
      throw failed(credential, `the token endpoint issued no token: ${outcome.reason}`)
  }
}

/** First whether the response belongs to the request, then what it contains. */
function readCallback(
  credential: TokenCredential<CodeBody>,
  pending: PendingConsent,
  query: URLSearchParams,
): string {
  for (const name of ['state', 'code', 'iss', 'error'])
    if (query.getAll(name).length > 1) throw failed(credential, `the response contains ${name} twice`)
  const state = query.get('state')
  if (state === null || !equal(state, pending.state))
    throw failed(credential, 'the response does not belong to this request')
  const fault = explainIssuer(credential.body, query.get('iss'))
  if (fault !== null) throw failed(credential, fault)
  const error = query.get('error')
  if (error !== null)
    throw failed(credential, errors.get(error) ?? 'the authorisation server reports an error')
  const code = query.get('code')
  if (code === null || code === '') throw failed(credential, 'the response contains no code')
  return code
}

/** RFC 9207. Without an issuer in the body, the server of the consent page is the only one that can respond. */
function explainIssuer({ issuer, authorizationUrl }: CodeBody, iss: string | null): string | null {
  if (issuer !== undefined) {
    if (iss === issuer) return null
    return iss === null
      ? 'the response does not name its issuer (iss), which the credential expects'
      : 'the response is from a different issuer (iss) than that of the credential'
  }
  if (iss === null || originOf(iss) === new URL(authorizationUrl).origin) return null
  return 'the response is from a different server (iss) than the consent page. If that is correct, set the issuer of the credential'
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null
}

const errors: ReadonlyMap<string, string> = new Map([
  ['access_denied', 'the user or the server refused'],
  ['invalid_request', 'the server misses a parameter, or does not accept one'],
  ['invalid_scope', 'the server does not accept the scopes'],
  ['unauthorized_client', 'the server does not allow the client to ask for consent'],
  ['unsupported_response_type', 'the server does not support authorisation codes'],
  ['server_error', 'the server had an error'],
  ['temporarily_unavailable', 'the server is not available at present'],
])

function failed({ credential }: TokenCredential, reason: string): AlmanacError {
  const detail = `Consent for the credential ${credential} was not obtained: ${reason}. Start the consent again.`
  return new AlmanacError('integration.consent_failed', detail)
}

function equal(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.length === y.length && timingSafeEqual(x, y)
}
