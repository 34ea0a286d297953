// What to do for a request, given the stored row and the time. Pure.
import { consentRequired, noToken, refusedAtOnce } from './token-errors.ts'
import type { TokenRequest } from './token-request.ts'
import { accessState, needsConsent, validPart, type TokenDigests } from './token-row.ts'
import type { StoredTokens } from './token-store.ts'

/** A token that is refused sooner than this is not renewed. */
const shortestUseMs = 5_000

export type Step =
  | { kind: 'use'; token: string }
  | { kind: 'fail'; error: Error }
  /** Another request is running. */
  | { kind: 'wait' }
  /** `current`: the token to use if another request is running; null if no token can be used. */
  | { kind: 'request'; row: StoredTokens; current: string | null }

/** @param refused a token that an endpoint did not accept */
export function nextStep(
  stored: StoredTokens | undefined,
  digests: TokenDigests,
  request: TokenRequest,
  refused: string | null,
  now: number,
): Step {
  const row = validPart(stored, digests)
  const isRefused = refused !== null && row.accessToken === refused
  const access = isRefused ? 'absent' : accessState(row, request.body, now)
  if (access === 'fresh') return { kind: 'use', token: row.accessToken! }
  const isPaused = row.pause !== null && row.pause.until > now
  const isClaimed = stored?.claim != null && stored.claim.until > now
  if (access === 'due' && (isPaused || isClaimed || needsConsent(row, request.body)))
    return { kind: 'use', token: row.accessToken! }
  if (isClaimed) return { kind: 'wait' }
  if (needsConsent(row, request.body)) return { kind: 'fail', error: consentRequired(request) }
  if (isPaused) return { kind: 'fail', error: noToken(request, row.pause!, now) }
  if (isRefused && now - row.obtainedAt < shortestUseMs)
    return { kind: 'fail', error: refusedAtOnce(request) }
  return access === 'due'
    ? { kind: 'request', row, current: row.accessToken }
    : { kind: 'request', row: isRefused ? { ...row, accessToken: null } : row, current: null }
}
