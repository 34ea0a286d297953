// Access tokens for outgoing calls (docs/reference/authentication-of-calls.md). One request at a time for each user of a
// principal: within a process by a promise, across processes by a claim in the store. No token stays in memory.
import { nextStep } from './next-step.ts'
import { replaceRow } from './replace-row.ts'
import { requestAccess } from './request-access.ts'
import type { OAuthBody } from './token-call.ts'
import { claimedElsewhere } from './token-errors.ts'
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
  /** Whether tokens are stored, including expired ones. */
  isStored(address: TokenAddress): Promise<boolean>
  /** For the studio; without tokens. */
  state(request: TokenRequest): Promise<TokenState>
}

const pollMs = 100
/** How long a call waits for the token that another process requests. */
const patienceMs = 20_000

export function createTokens(deps: TokensDeps): Tokens {
  const running = new Map<string, Promise<string | null>>()
  return {
    access: (request) => obtain(request, null),
    renew: obtain,
    accept: async (request, tokens, scopes) => {
      const row = { ...emptyRow(tokenDigests(request, request.secretVersion)), scopes }
      const now = Date.parse(deps.clock.now())
      await replaceRow(deps, request, () => withIssued(row, tokens, request.body, now))
    },
    forget: async (address) => {
      await replaceRow(deps, address, () => null)
    },
    isStored: async (address) => (await deps.store.get(addressOf(address))) !== undefined,
    state: async (request) => {
      const entry = await deps.store.get(addressOf(request))
      const row = validPart(entry?.tokens, tokenDigests(request, request.secretVersion))
      return stateOf(row, request.body, Date.parse(deps.clock.now()))
    },
  }

  async function obtain(request: TokenRequest, refused: string | null): Promise<string> {
    const { store, clock, wait } = deps
    const address = addressOf(request)
    const digests = tokenDigests(request, request.secretVersion)
    const key = JSON.stringify([address, digests])
    const patience = Date.parse(clock.now()) + patienceMs
    for (;;) {
      const entry = await store.get(address)
      const now = Date.parse(clock.now())
      const step = nextStep(entry?.tokens, digests, request, refused, now)
      if (step.kind === 'use') return step.token
      if (step.kind === 'fail') throw step.error
      const other = running.get(key)
      if (other !== undefined) {
        if (step.kind === 'request' && step.current !== null) return step.current
        const token = await other
        if (token !== null && token !== refused) return token
      } else if (step.kind === 'request') {
        const token = await run(key, () => requestAccess(deps, request, step.row, entry?.version ?? null))
        if (token !== null && token !== refused) return token
      } else {
        if (now >= patience) throw claimedElsewhere(address)
        await wait(pollMs)
      }
    }
  }

  async function run(key: string, work: () => Promise<string | null>): Promise<string | null> {
    const promise = work()
    running.set(key, promise)
    try {
      return await promise
    } finally {
      running.delete(key)
    }
  }
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
