// Guards API keys against guesses. Failed attempts are counted by source; a key that was valid before has its own count, so
// that a client with an ended key does not lock out others behind the same address.
import { hash } from 'node:crypto'
import type { Request } from 'express'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { RecentCache } from '#kernel/memo/recent-cache.ts'
import type { ClientSecrets } from '../clients/index.ts'
import { addressOf, type Site } from './site.ts'
import type { Throttle } from './throttle.ts'

type ClientBearer = ReturnType<ClientSecrets['authenticateKey']>

/** Digests of keys that were valid since the server started. */
export type KnownKeys = Pick<RecentCache<true>, 'get' | 'put'>

/** The number of keys that are remembered. */
const most = 10_000

export const createKnownKeys = (): KnownKeys => new RecentCache<true>(most)

interface Guard {
  clientSecrets: Pick<ClientSecrets, 'authenticateKey'>
  keyThrottle: Throttle
  knownKeys: KnownKeys
  site: Pick<Site, 'behindProxy'>
}

/** @throws AlmanacError `auth.throttled`; `auth.invalid`, with one message for every cause */
export function requireKey(
  { clientSecrets, keyThrottle, knownKeys, site }: Guard,
  request: Request,
  key: string,
): ClientBearer {
  const digest = hash('sha256', key, 'base64')
  const counted = knownKeys.get(digest) === undefined ? addressOf(site, request) : `key ${digest}`
  keyThrottle.check(counted)
  try {
    const bearer = clientSecrets.authenticateKey(key)
    knownKeys.put(digest, true, 1)
    return bearer
  } catch (error) {
    if (error instanceof AlmanacError && error.code === 'auth.invalid') keyThrottle.recordFailure(counted)
    throw error
  }
}
