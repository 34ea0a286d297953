// The cookie of a consent that is waiting: it proves that the browser that returns is the one that was sent. Lax, because
// the user returns from a page of another site.
import type { CookieOptions, Request, Response } from 'express'
import { cookiesOf } from './cookies.ts'
import type { Site } from './site.ts'

type CookieSite = Pick<Site, 'cookieSuffix' | 'scheme'>

interface SentConsent {
  /** A user can give several consents at once. */
  state: string
  cookie: string
  expiresAt: string
}

export const consentCookie = {
  set: (site: CookieSite, response: Response, { state, cookie, expiresAt }: SentConsent): void =>
    void response.cookie(nameOf(site, state), cookie, { ...attributes(site), expires: new Date(expiresAt) }),
  valueOf: (site: CookieSite, request: Request, state: string): string | undefined =>
    cookiesOf(request).get(nameOf(site, state)),
  clear: (site: CookieSite, response: Response, state: string): void =>
    void response.clearCookie(nameOf(site, state), attributes(site)),
}

function nameOf({ cookieSuffix, scheme }: CookieSite, state: string): string {
  const part = state.replaceAll(/[^\w-]/g, '').slice(0, 12)
  return `${scheme === 'https' ? '__Host-' : ''}almanac_consent_${cookieSuffix}_${part}`
}

function attributes({ scheme }: CookieSite): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: scheme === 'https' }
}
