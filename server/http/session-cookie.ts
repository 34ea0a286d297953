// The cookie of a session: HttpOnly, SameSite=Strict, and over TLS bound to this host. Sessions of the one-time link
// and of a password have separate cookies, so the administrator of this machine can sign in as a user and return.
import type { CookieOptions, Request, Response } from 'express'
import { cookiesOf } from './cookies.ts'
import type { Site } from './site.ts'

type CookieSite = Pick<Site, 'cookieSuffix' | 'scheme'>

export interface SessionCookie {
  name(site: CookieSite): string
  /** Returns the secret in a request; undefined if none exists. */
  secretOf(site: CookieSite, request: Request): string | undefined
  /** Sets the cookie; without `expiresAt`, it ends with the browser. */
  set(site: CookieSite, response: Response, secret: string, expiresAt?: string): void
  clear(site: CookieSite, response: Response): void
}

/** The cookie of a user who signed in with a password. */
export const personCookie = sessionCookie('almanac_person')
/** The cookie of the administrator of this machine, who used the one-time link. */
export const linkCookie = sessionCookie('almanac_session')

function sessionCookie(prefix: string): SessionCookie {
  const name = ({ cookieSuffix, scheme }: CookieSite): string =>
    `${scheme === 'https' ? '__Host-' : ''}${prefix}_${cookieSuffix}`
  return {
    name,
    secretOf: (site, request) => cookiesOf(request).get(name(site)),
    set: (site, response, secret, expiresAt) => {
      const expires = expiresAt === undefined ? {} : { expires: new Date(expiresAt) }
      response.cookie(name(site), secret, { ...attributes(site), ...expires })
    },
    clear: (site, response) => void response.clearCookie(name(site), attributes(site)),
  }
}

function attributes({ scheme }: CookieSite): CookieOptions {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure: scheme === 'https' }
}
