// One request for a token, under a claim: claim, request, store, and only then use.
import { assertNever } from '#kernel/expr/assert-never.ts'
import { replaceRow } from './replace-row.ts'
import { refresh, requestForAssertion, requestForClient } from './request-token.ts'
import { consentRequired, noToken } from './token-errors.ts'
import type { TokenRequest, TokensDeps } from './token-request.ts'
import type { IssuedTokens, TokenOutcome } from './token-response.ts'
import { accessState, nextPause, withIssued } from './token-row.ts'
import type { StoredTokens } from './token-store.ts'

/** How long one request can take, after which another process can make the next. */
const claimMs = 60_000

/**
 * Returns the token, or null if another process changed the row first: its row decides.
 * @param row the valid part of the stored row, which has the version
 */
export async function requestAccess(
  deps: TokensDeps,
  request: TokenRequest,
  row: StoredTokens,
  version: string | null,
): Promise<string | null> {
  const { store, clock, randomness } = deps
  const { credential, principal, user } = request
  const startedAt = Date.parse(clock.now())
  const id = Buffer.from(randomness.bytes(16)).toString('base64url')
  const claimed = { ...row, claim: { id, until: startedAt + claimMs } }
  if ((await store.put({ credential, principal, user }, claimed, version)) === null) return null
  const attempt: Attempt = { deps, request, row, id, startedAt }
  let outcome: TokenOutcome
  try {
    outcome = await send(request, row, deps)
    noteRequest(deps, request, startedAt, outcome)
  } catch (error) {
    // A slot that cannot be used: nothing was sent.
    await whileClaimed(attempt, { ...row, claim: null })
    throw error
  }
  return settle(attempt, outcome)
}

function noteRequest(
  { observer, clock }: TokensDeps,
  { credential, principal, user, correlationId = '' }: TokenRequest,
  startedAt: number,
  { kind }: TokenOutcome,
): void {
  const [at, durationMs] = [
    new Date(startedAt).toISOString(),
    Math.max(0, Date.parse(clock.now()) - startedAt),
  ]
  observer?.onRequest({ at, durationMs, credential, principal, user, correlationId, result: kind })
}

interface Attempt {
  deps: TokensDeps
  request: TokenRequest
  row: StoredTokens
  /** Of the claim. */
  id: string
  startedAt: number
}

function send(
  request: TokenRequest,
  { refreshToken }: StoredTokens,
  deps: TokensDeps,
): Promise<TokenOutcome> {
  const { body } = request
  switch (body.scheme) {
    case 'oauth2_client_credentials':
      return requestForClient({ ...request, body }, deps)
    case 'oauth2_jwt_bearer':
      return requestForAssertion({ ...request, body }, deps)
    case 'oauth2_authorization_code':
      return refresh({ ...request, body }, refreshToken!, deps)
    default:
      return assertNever(body)
  }
}

async function settle(attempt: Attempt, outcome: TokenOutcome): Promise<string | null> {
  switch (outcome.kind) {
    case 'issued':
      return storeIssued(attempt, outcome.tokens)
    case 'revoked':
      return attempt.request.body.scheme === 'oauth2_authorization_code'
        ? storeRevoked(attempt)
        : storePause(attempt, { kind: 'refused', reason: 'it does not accept the assertion (invalid_grant)' })
    case 'passing':
    case 'refused':
      return storePause(attempt, outcome)
  }
}

/** Another attempt is cheaper than a new consent: the server may have replaced the refresh token. */
const storingAttempts = 3

async function storeIssued(attempt: Attempt, tokens: IssuedTokens): Promise<string | null> {
  for (let count = 1; ; count++)
    try {
      return await storeIssuedOnce(attempt, tokens)
    } catch (error) {
      if (count === storingAttempts) throw error
      await attempt.deps.wait(50 * count)
    }
}

async function storeIssuedOnce(
  { deps, request, row, id, startedAt }: Attempt,
  tokens: IssuedTokens,
): Promise<string | null> {
  const issued = withIssued(row, tokens, request.body, startedAt)
  let token: string | null = null
  await replaceRow(deps, request, (present) => {
    token = null
    // The consent was withdrawn, or the credential is now for a different client.
    if (present === undefined || present.grant !== row.grant) return undefined
    const isOurs = present.claim?.id === id
    if (!isOurs && present.request !== row.request) return { ...present, refreshToken: issued.refreshToken }
    // Our claim had expired, and another process was faster.
    if (!isOurs && present.obtainedAt >= startedAt && present.accessToken !== null) return undefined
    token = issued.accessToken
    return issued
  })
  return token
}

async function storeRevoked({ deps, request, row }: Attempt): Promise<null> {
  let isRevoked = false
  await replaceRow(deps, request, (present) => {
    // A different refresh token came in between, so this one was merely used up.
    isRevoked = present !== undefined && present.refreshToken === row.refreshToken
    const nothing = { accessToken: null, refreshToken: null, expiresAt: null, obtainedAt: 0 }
    return isRevoked ? { ...row, ...nothing, pause: null, claim: null } : undefined
  })
  if (isRevoked) throw consentRequired(request)
  return null
}

async function storePause(
  attempt: Attempt,
  failure: { kind: 'passing' | 'refused'; reason: string; retryAfterSec?: number },
): Promise<string | null> {
  const { request, row, deps } = attempt
  const now = Date.parse(deps.clock.now())
  const pause = nextPause(row.pause, failure, now)
  if (!(await whileClaimed(attempt, { ...row, pause, claim: null }))) return null
  if (accessState(row, request.body, now) !== 'absent') return row.accessToken
  throw noToken(request, pause, now)
}

/** Stores a row if the claim is still ours. */
async function whileClaimed({ deps, request, id }: Attempt, next: StoredTokens): Promise<boolean> {
  let isOurs = false
  await replaceRow(deps, request, (present) => {
    isOurs = present?.claim?.id === id
    return isOurs ? next : undefined
  })
  return isOurs
}
