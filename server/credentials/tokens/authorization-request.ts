// Begins the consent of a user: the URL of the consent page, with PKCE (RFC 7636) and a state.
import { createHash } from 'node:crypto'
import type { Randomness } from '../../ports/randomness.ts'
import { slotValues } from '../schemes/index.ts'
import type { CodeBody, TokenCredential } from './token-call.ts'

/** What must be kept until the user returns, where only this server can read it. */
export interface PendingConsent {
  /** Returned with the user, once. */
  state: string
  codeVerifier: string
  redirectUri: string
  /** The scopes that were requested. */
  scopes: readonly string[]
}

export interface AuthorizationRequest {
  url: string
  pending: PendingConsent
}

/** @param redirectUri where the user returns to; registered with the authorisation server */
export function authorizationRequest(
  { credential, body, secrets }: TokenCredential<CodeBody>,
  redirectUri: string,
  randomness: Randomness,
): AuthorizationRequest {
  const clientId = slotValues(credential, secrets).required('clientId')
  const random = () => Buffer.from(randomness.bytes(32)).toString('base64url')
  const pending: PendingConsent = {
    state: random(),
    codeVerifier: random(),
    redirectUri,
    scopes: body.scopes,
  }
  const query = new URLSearchParams({
    ...body.authorizationParameters,
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: pending.state,
    code_challenge: createHash('sha256').update(pending.codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  if (body.scopes.length > 0) query.set('scope', body.scopes.join(' '))
  if (body.audience !== undefined) query.set('audience', body.audience)
  return { url: `${body.authorizationUrl}?${query}`, pending }
}
