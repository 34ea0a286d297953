// Reads the response of a token endpoint (RFC 6749, section 5). Nothing that the server wrote is quoted: it could repeat
// a secret, a code or a token.
import { z } from 'zod'
import type { TokenResponse } from './token-call.ts'

export interface IssuedTokens {
  accessToken: string
  /** Null if the server does not state it. */
  expiresInSec: number | null
  /** Null if the server issues none: one from before stays valid. */
  refreshToken: string | null
}

/** `revoked`: `invalid_grant`. `passing`: an attempt later may succeed. `reason` completes “: it …” and has no secret. */
export type TokenOutcome =
  | { kind: 'issued'; tokens: IssuedTokens }
  | { kind: 'revoked' }
  | { kind: 'passing' | 'refused'; reason: string; retryAfterSec?: number }

const text = z.string().min(1).max(65_536)
const visible = text.regex(/^[\x21-\x7e]+$/)
const seconds = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,12}$/)
      .transform(Number),
  ])
  .pipe(z.number().nonnegative())

const success = z.object({
  access_token: visible,
  token_type: z.string().regex(/^bearer$/i),
  expires_in: seconds.nullish(),
  refresh_token: visible.nullish(),
})

/** The standard's codes, of RFC 6749 and 8707, with what they mean for us. */
const reasons: Record<string, string> = {
  invalid_request: 'it misses a parameter, or does not accept one (invalid_request)',
  invalid_client: 'it does not accept the client id, its secret or its key (invalid_client)',
  unauthorized_client: 'it does not allow the client this scheme (unauthorized_client)',
  unsupported_grant_type: 'it does not support this scheme (unsupported_grant_type)',
  invalid_scope: 'it does not accept the scopes (invalid_scope)',
  invalid_target: 'it does not accept the audience or resource (invalid_target)',
  access_denied: 'it denies access (access_denied)',
}

const passingErrors: ReadonlySet<unknown> = new Set(['temporarily_unavailable', 'server_error', 'slow_down'])

/** @param now ISO 8601 instant */
export function readTokenResponse({ status, headers, text }: TokenResponse, now: string): TokenOutcome {
  const json = objectOf(text)
  const error = json?.error
  if (status >= 500 || status === 429 || status === 408 || passingErrors.has(error)) {
    const reason = status >= 400 ? `it responded with the status ${status}` : 'it is not available at present'
    return { kind: 'passing', reason, retryAfterSec: retryAfter(headers['retry-after'], now) }
  }
  if (status >= 300 && status < 400)
    return { kind: 'refused', reason: 'it redirects to a different URL, which is not followed' }
  // Some servers report errors with the status 200.
  if (error === 'invalid_grant') return { kind: 'revoked' }
  if (typeof error === 'string' && Object.hasOwn(reasons, error))
    return { kind: 'refused', reason: reasons[error]! }
  if (status < 200 || status >= 300)
    return { kind: 'refused', reason: `it responded with the status ${status}` }
  if (error !== undefined)
    return { kind: 'refused', reason: 'it responded with an error that is not standard' }
  if (json === null) return { kind: 'refused', reason: 'its response is not a JSON object' }
  return readSuccess(json)
}

function readSuccess(json: Record<string, unknown>): TokenOutcome {
  const parsed = success.safeParse(json)
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]?.path[0])
    return { kind: 'refused', reason: `${name} in its response is missing or not valid` }
  }
  const { access_token, expires_in, refresh_token } = parsed.data
  return {
    kind: 'issued',
    tokens: {
      accessToken: access_token,
      // Some servers write 0 for a token that does not expire.
      expiresInSec: expires_in || null,
      refreshToken: refresh_token ?? null,
    },
  }
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

const longestPauseSec = 3600

/** Retry-After as seconds or as a date; at most an hour. */
function retryAfter(header: string | undefined, now: string): number | undefined {
  if (header === undefined) return undefined
  const given = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.parse(now)) / 1000
  return Number.isNaN(given) ? undefined : Math.min(longestPauseSec, Math.max(0, Math.ceil(given)))
}
