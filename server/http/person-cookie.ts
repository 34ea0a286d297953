// The cookie of somebody who signed in with a password: HttpOnly, SameSite=Strict, and over TLS bound to this very host.
import type { CookieOptions, Request, Response } from 'express'
import { cookiesOf } from './cookies.ts'
import type { Site } from './site.ts'

type Named = Pick<Site, 'port' | 'scheme'>

/** Cookies do not tell ports apart, so that two servers of one machine need two names. */
export function personCookieName({ port, scheme }: Named): string {
  return `${scheme === 'https' ? '__Host-' : ''}almanac_person_${port}`
}

/** The secret that a request shows; undefined where it shows none. */
export function personSecretOf(site: Named, request: Request): string | undefined {
  return cookiesOf(request).get(personCookieName(site))
}

export function setPersonCookie(site: Named, response: Response, secret: string, expiresAt: string): void {
  response.cookie(personCookieName(site), secret, { ...attributes(site), expires: new Date(expiresAt) })
}

export function clearPersonCookie(site: Named, response: Response): void {
  response.clearCookie(personCookieName(site), attributes(site))
}

function attributes({ scheme }: Named): CookieOptions {
  return { httpOnly: true, sameSite: 'strict', path: '/', secure: scheme === 'https' }
}
