// The studio's session: a random secret for each start, handed over once as a cookie (completions 6).
import { timingSafeEqual } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Randomness } from '../ports/randomness.ts'
import { cookiesOf } from './cookies.ts'
import type { Site } from './site.ts'

export interface StudioSession {
  /** The one-time link's path, `/session?once=…`; null once it was used. */
  readonly link: string | null
  /** True once, for the right link. */
  redeem(once: string): boolean
  /** Whether a request carries the session's cookie. */
  holds(request: Request): boolean
  setCookie(response: Response): void
}

/** Cookies do not tell ports apart, so that two servers of one machine need two names. */
export function sessionCookieName(site: Pick<Site, 'port'>): string {
  return `almanac_session_${site.port}`
}

export function createStudioSession(site: Site, random: Randomness): StudioSession {
  const name = sessionCookieName(site)
  const secret = token(random)
  let once: string | null = token(random)
  return {
    get link() {
      return once === null ? null : `/session?once=${once}`
    },
    redeem(given) {
      if (once === null || !equal(given, once)) return false
      once = null
      return true
    },
    holds: (request) => {
      const given = cookiesOf(request).get(name)
      return given !== undefined && equal(given, secret)
    },
    setCookie: (response) => {
      response.cookie(name, secret, {
        httpOnly: true,
        sameSite: 'strict',
        path: '/',
        secure: site.scheme === 'https',
      })
    },
  }
}

function token(random: Randomness): string {
  return Buffer.from(random.bytes(32)).toString('base64url')
}

/** In constant time for texts of one length. */
export function equal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
