// A cookie that marks a browser in which a user has signed in before, so guesses from elsewhere cannot lock that user
// out. It proves nothing else: a password is still required. It is valid until the server stops, at most 90 days.
import { createHmac } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Randomness } from '../ports/randomness.ts'
import { cookiesOf } from './cookies.ts'
import { isEqualInConstantTime } from './studio-link.ts'
import type { Site } from './site.ts'

export interface KnownDevices {
  /** Returns the id of the device, if the user has signed in with it before. */
  deviceIdOf(request: Request, user: string): string | null
  remember(response: Response, user: string): void
}

const lifetimeMs = 90 * 24 * 60 * 60 * 1000

/** @param now milliseconds since the epoch */
export function createKnownDevices(
  site: Pick<Site, 'cookieSuffix' | 'scheme'>,
  random: Randomness,
  now: () => number,
): KnownDevices {
  const key = Buffer.from(random.bytes(32))
  const name = `${site.scheme === 'https' ? '__Host-' : ''}almanac_device_${site.cookieSuffix}`
  const seal = (id: string, until: number, user: string): string =>
    createHmac('sha256', key).update(`${id}\n${until}\n${user}`).digest('base64url')
  return {
    deviceIdOf: (request, user) => {
      const [id = '', until = '', seen = ''] = cookiesOf(request).get(name)?.split('.') ?? []
      const ends = Number(until)
      return ends > now() && isEqualInConstantTime(seen, seal(id, ends, user)) ? id : null
    },
    remember: (response, user) => {
      const id = Buffer.from(random.bytes(12)).toString('base64url')
      const until = now() + lifetimeMs
      response.cookie(name, `${id}.${until}.${seal(id, until, user)}`, {
        httpOnly: true,
        sameSite: 'strict',
        path: '/',
        secure: site.scheme === 'https',
        expires: new Date(until),
      })
    },
  }
}
