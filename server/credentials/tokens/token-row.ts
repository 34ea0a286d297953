// What a stored row offers for a request: pure, over the row, the request and the time.
import { createHash } from 'node:crypto'
import { tokenDefaults } from '#kernel/components/external-credential/body.ts'
import type { OAuthBody, TokenCredential } from './token-call.ts'
import type { StoredTokens, TokenPause } from './token-store.ts'
import type { IssuedTokens } from './token-response.ts'

export interface TokenDigests {
  grant: string
  request: string
}

/** @param secretVersion changes when a secret is promoted */
export function tokenDigests(credential: TokenCredential, secretVersion: string): TokenDigests {
  const { principals: _, ...parameters } = credential.body
  return { grant: grantDigest(credential), request: hash([parameters, secretVersion]) }
}

/** Which client at which server a grant is for. */
export function grantDigest({ body, secrets }: TokenCredential): string {
  const page = body.scheme === 'oauth2_authorization_code' ? body.authorizationUrl : null
  return hash([body.scheme, body.tokenUrl, page, secrets.clientId ?? null])
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

export function emptyRow(digests: TokenDigests): StoredTokens {
  return {
    ...digests,
    ...{ accessToken: null, obtainedAt: 0, expiresAt: null, refreshToken: null },
    ...{ scopes: [], pause: null, claim: null },
  }
}

/**
 * The part of a row that is valid for a request. Tokens go only to the server and client that they were issued for; a new
 * secret or parameter drops the access token and the pause, and keeps the consent.
 */
export function validPart(row: StoredTokens | undefined, digests: TokenDigests): StoredTokens {
  if (row === undefined) return emptyRow(digests)
  if (row.grant !== digests.grant) return { ...emptyRow(digests), claim: row.claim }
  if (row.request === digests.request) return row
  return { ...row, ...digests, accessToken: null, obtainedAt: 0, expiresAt: null, pause: null }
}

/** Whether the access token can be sent, and whether it is time for the next one. */
export function accessState(
  { accessToken, obtainedAt, expiresAt }: StoredTokens,
  { refreshAheadSec = tokenDefaults.refreshAheadSec }: OAuthBody,
  now: number,
): 'fresh' | 'due' | 'absent' {
  if (accessToken === null) return 'absent'
  if (expiresAt === null) return 'fresh'
  if (now >= expiresAt) return 'absent'
  // A token that is valid for seconds only is used for half of them.
  const ahead = Math.min(refreshAheadSec * 1000, (expiresAt - obtainedAt) / 2)
  return now >= expiresAt - ahead ? 'due' : 'fresh'
}

/** Whether the user must give consent before a token can be requested. */
export function needsConsent(row: StoredTokens, body: OAuthBody): boolean {
  if (body.scheme !== 'oauth2_authorization_code') return false
  return row.refreshToken === null || !body.scopes.every((scope) => row.scopes.includes(scope))
}

/** @param now when the request was sent, so that the token is never taken for valid too long */
export function withIssued(
  row: StoredTokens,
  tokens: IssuedTokens,
  body: OAuthBody,
  now: number,
): StoredTokens {
  const { accessToken, expiresInSec, refreshToken } = tokens
  const keeps = body.scheme === 'oauth2_authorization_code'
  return {
    ...row,
    accessToken,
    obtainedAt: now,
    expiresAt: expiresInSec === null ? null : now + expiresInSec * 1000,
    refreshToken: keeps ? (refreshToken ?? row.refreshToken) : null,
    ...{ pause: null, claim: null },
  }
}

const firstPauseMs = 5_000
const longestPauseMs = 300_000

/** Each failure doubles the pause; a server can ask for a longer one. */
export function nextPause(
  before: TokenPause | null,
  { kind, reason, retryAfterSec = 0 }: Pick<TokenPause, 'kind' | 'reason'> & { retryAfterSec?: number },
  now: number,
): TokenPause {
  const failures = (before?.failures ?? 0) + 1
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 10))
  return { kind, reason, failures, until: now + Math.max(pause, retryAfterSec * 1000) }
}
