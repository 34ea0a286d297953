// Access tokens for outgoing calls (docs/reference/authentication-of-calls.md). One request at a time for each user of a
// principal: within a process by a promise, across processes by a claim in the store. No token stays in memory.
import { replaceRow } from './replace-row.ts'
import { requestAccess } from './request-access.ts'
import type { OAuthBody } from './token-call.ts'
import { claimedElsewhere, consentRequired, noToken, refusedAtOnce } from './token-errors.ts'
import type { TokenRequest, TokensDeps } from './token-request.ts'
import type { IssuedTokens } from './token-response.ts'
import { accessState, emptyRow, needsConsent, tokenDigests, validPart, withIssued } from './token-row.ts'
import type { StoredTokens, TokenAddress } from './token-store.ts'

/** `ready`: a token is stored or can be requested. `paused`: the last request failed. */
export interface TokenState {
  state: 'ready' | 'paused' | 'consent_required'
  obtainedAt: number | null
  expiresAt: number | null
  pausedUntil: number | null
}

export interface Tokens {
  /** Returns an access token, which is renewed ahead of its expiry. @throws AlmanacError */
  access(request: TokenRequest): Promise<string>
  /** Returns a different token than `refused`, which an endpoint did not accept. @throws AlmanacError */
  renew(request: TokenRequest, refused: string): Promise<string>
  /** Stores the tokens of a consent. @param scopes those that the consent was requested for */
  accept(request: TokenRequest, tokens: IssuedTokens, scopes: readonly string[]): Promise<void>
  /** Removes the tokens, for a user who withdraws consent or a credential that is removed. */
  forget(address: TokenAddress): Promise<void>
  /** For the studio; without tokens. */
  state(request: TokenRequest): Promise<TokenState>
}

const pollMs = 100
/** How long a call waits for the token that another process requests. */
const patienceMs = 20_000
/** A token that is refused sooner than this is not renewed. */
const shortestUseMs = 5_000

export function createTokens(deps: TokensDeps): Tokens {
  const running = new Map<string, Promise<string>>()
  return {
    access: (request) => oneAtATime(request, null),
    renew: async (request, refused) => {
      const token = await oneAtATime(request, refused)
      // The request for a new one failed, and the old one seemed valid.
      if (token === refused) throw refusedAtOnce(request)
      return token
    },
    accept: async (request, tokens, scopes) => {
      const row = { ...emptyRow(tokenDigests(request, request.secretVersion)), scopes }
      const now = Date.parse(deps.clock.now())
      await replaceRow(deps, request, () => withIssued(row, tokens, request.body, now))
    },
    forget: async (address) => {
      await replaceRow(deps, address, () => null)
    },
    state: async (request) => {
      const entry = await deps.store.get(addressOf(request))
      const row = validPart(entry?.tokens, tokenDigests(request, request.secretVersion))
      return stateOf(row, request.body, Date.parse(deps.clock.now()))
    },
  }

  async function oneAtATime(request: TokenRequest, refused: string | null): Promise<string> {
    const { credential, principal, user, secretVersion } = request
    const key = JSON.stringify([credential, principal, user, tokenDigests(request, secretVersion)])
    const present = running.get(key)
    if (present !== undefined) return present
    const promise = obtain(deps, request, refused)
    running.set(key, promise)
    try {
      return await promise
    } finally {
      running.delete(key)
    }
  }
}

async function obtain(deps: TokensDeps, request: TokenRequest, refused: string | null): Promise<string> {
  const { store, clock, wait } = deps
  const address = addressOf(request)
  const digests = tokenDigests(request, request.secretVersion)
  const patience = Date.parse(clock.now()) + patienceMs
  for (;;) {
    const entry = await store.get(address)
    const now = Date.parse(clock.now())
    const step = nextStep(entry?.tokens, validPart(entry?.tokens, digests), request, refused, now)
    switch (step.kind) {
      case 'use':
        return step.token
      case 'fail':
        throw step.error
      case 'wait':
        if (now >= patience) throw claimedElsewhere(address)
        await wait(pollMs)
        break
      case 'request': {
        const token = await requestAccess(deps, request, step.row, entry?.version ?? null)
        if (token !== null) return token
      }
    }
  }
}

type Step =
  | { kind: 'use'; token: string }
  | { kind: 'fail'; error: Error }
  | { kind: 'wait' }
  | { kind: 'request'; row: StoredTokens }

function nextStep(
  stored: StoredTokens | undefined,
  row: StoredTokens,
  request: TokenRequest,
  refused: string | null,
  now: number,
): Step {
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
  return { kind: 'request', row: isRefused ? { ...row, accessToken: null } : row }
}

function stateOf(row: StoredTokens, body: OAuthBody, now: number): TokenState {
  const access = accessState(row, body, now)
  const pausedUntil = row.pause !== null && row.pause.until > now ? row.pause.until : null
  const state =
    access === 'absent' && needsConsent(row, body)
      ? 'consent_required'
      : pausedUntil === null
        ? 'ready'
        : 'paused'
  const isStored = row.accessToken !== null
  return {
    state,
    obtainedAt: isStored ? row.obtainedAt : null,
    expiresAt: isStored ? row.expiresAt : null,
    pausedUntil,
  }
}

function addressOf({ credential, principal, user }: TokenAddress): TokenAddress {
  return { credential, principal, user }
}
