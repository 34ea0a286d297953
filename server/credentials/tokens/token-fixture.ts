// For tests of the tokens: a store, a clock, and an authorisation server, all of which keep state in memory.
import type { CalloutFault } from '../../ports/callout-transport.ts'
import { bodyOf } from '../schemes/body-fixture.ts'
import type { TokenCall, TokenResponse } from './token-call.ts'
import type { TokenRequest, TokensDeps } from './token-request.ts'
import { createTokens, type Tokens } from './tokens.ts'
import type { StoredTokens, TokenAddress, TokenStore } from './token-store.ts'

export class FakeClock {
  ms = Date.parse('2026-03-01T10:00:00.000Z')
  now = (): string => new Date(this.ms).toISOString()
  wait = (ms: number): Promise<void> => {
    this.ms += ms
    return Promise.resolve()
  }
}

export class MemoryTokenStore implements TokenStore {
  readonly rows = new Map<string, { tokens: StoredTokens; version: string }>()
  #versions = 0

  get(address: TokenAddress): Promise<{ tokens: StoredTokens; version: string } | undefined> {
    return Promise.resolve(structuredClone(this.rows.get(JSON.stringify(address))))
  }

  put(address: TokenAddress, tokens: StoredTokens | null, expected: string | null): Promise<string | null> {
    const key = JSON.stringify(address)
    if ((this.rows.get(key)?.version ?? null) !== expected) return Promise.resolve(null)
    const version = String(++this.#versions)
    if (tokens === null) this.rows.delete(key)
    else this.rows.set(key, { tokens: structuredClone(tokens), version })
    return Promise.resolve(version)
  }

  /** The only row. */
  get row(): StoredTokens | undefined {
    return [...this.rows.values()][0]?.tokens
  }
}

/**
 * `rotating`: a refresh token is valid once, and its second use revokes the grant, as RFC 9700 recommends.
 * `overlapping`: each is replaced, and remains valid for a while.
 */
export type RefreshPolicy = 'static' | 'rotating' | 'overlapping'

/** Issues tokens that are named in their order: `access-1`, `refresh-1`. */
export class FakeAuthorisationServer {
  readonly calls: URLSearchParams[] = []
  /** Instead of the next responses. */
  readonly faults: (Partial<TokenResponse> | CalloutFault)[] = []
  expiresIn: number | undefined = 3600
  policy: RefreshPolicy = 'static'
  #issued = 0
  #refresh = new Set<string>()
  #used = new Set<string>()

  send = (call: TokenCall): Promise<TokenResponse> => {
    const form = new URLSearchParams(call.body)
    this.calls.push(form)
    const fault = this.faults.shift()
    if (fault instanceof Error) return Promise.reject(fault)
    if (fault !== undefined) return Promise.resolve({ status: 200, headers: {}, text: '', ...fault })
    const token = form.get('refresh_token')
    if (token === null) return Promise.resolve(this.#issue(undefined))
    if (this.#used.has(token)) this.revoke()
    if (!this.#refresh.has(token)) return Promise.resolve(response(400, { error: 'invalid_grant' }))
    if (this.policy === 'static') return Promise.resolve(this.#issue(undefined))
    if (this.policy === 'rotating') {
      this.#refresh.delete(token)
      this.#used.add(token)
    }
    return Promise.resolve(this.#issue(this.#nextRefreshToken()))
  }

  /** Gives consent. */
  consent(): { accessToken: string; expiresInSec: number; refreshToken: string } {
    return { accessToken: 'access-0', expiresInSec: 3600, refreshToken: this.#nextRefreshToken() }
  }

  revoke(): void {
    this.#refresh.clear()
  }

  isValid(refreshToken: string | null | undefined): boolean {
    return this.#refresh.has(refreshToken ?? '')
  }

  #nextRefreshToken(): string {
    const token = `refresh-${++this.#issued}`
    this.#refresh.add(token)
    return token
  }

  #issue(refresh_token: string | undefined): TokenResponse {
    const access_token = `access-${++this.#issued}`
    return response(200, { access_token, token_type: 'Bearer', expires_in: this.expiresIn, refresh_token })
  }
}

export function response(status: number, body: object, headers: Record<string, string> = {}): TokenResponse {
  return { status, headers, text: JSON.stringify(body) }
}

let bytes = 0
/** Different each time, and never random. */
export const randomness = { bytes: (count: number) => new Uint8Array(count).fill(++bytes % 256) }

const tokenUrl = 'https://login.example/token'
const address = { credential: 'bank', principal: 'service', secretVersion: '1' }
const secrets = { clientId: 'app', clientSecret: 'canary-secret' }

export function clientRequest(more: Partial<TokenRequest> = {}): TokenRequest {
  return { ...address, user: null, body: bodyOf('oauth2_client_credentials', { tokenUrl }), secrets, ...more }
}

export function userRequest(more: Partial<TokenRequest> = {}): TokenRequest {
  return { ...address, user: 'mara', body: codeBody(), secrets, ...more }
}

export function codeBody(more: object = {}) {
  return bodyOf('oauth2_authorization_code', {
    authorizationUrl: 'https://login.example/authorize',
    tokenUrl,
    scopes: ['read'],
    ...more,
  })
}

export interface Fixture {
  clock: FakeClock
  store: MemoryTokenStore
  server: FakeAuthorisationServer
  tokens: Tokens
  /** A new process over the same store. */
  process(more?: Partial<TokensDeps>): Tokens
}

export function fixture(): Fixture {
  const [clock, store, server] = [new FakeClock(), new MemoryTokenStore(), new FakeAuthorisationServer()]
  const process = (more: Partial<TokensDeps> = {}) =>
    createTokens({ store, send: server.send, clock, randomness, wait: clock.wait, ...more })
  return { clock, store, server, tokens: process(), process }
}
