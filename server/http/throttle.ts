// Counts failed attempts to authenticate by address and by user, for sign-in and the token endpoint.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export interface Throttle {
  /** @throws AlmanacError `auth.throttled` with the seconds to wait. */
  check(address: string): void
  recordFailure(address: string): void
  reset(address: string): void
  /** Counts an attempt before it is checked, so concurrent ones count too. Returns a function that takes it back. */
  recordAttempt(address: string): () => void
}

interface Failures {
  count: number
  /** Milliseconds since the epoch at which the count restarts. */
  until: number
}

/**
 * After `limit` failures within `windowMs`, an address must wait for the end of the window.
 * @param now milliseconds since the epoch
 */
export function createThrottle(
  now: () => number,
  limit = 10,
  windowMs = 60_000,
  addresses = 10_000,
): Throttle {
  const failures = new Map<string, Failures>()
  const current = (address: string): Failures | undefined => {
    const found = failures.get(address)
    if (found === undefined || found.until > now()) return found
    failures.delete(address)
    return undefined
  }
  const recordFailure = (address: string): void => {
    const found = current(address)
    if (found !== undefined) found.count += 1
    else {
      // Removes the oldest, so many addresses do not fill the memory.
      if (failures.size >= addresses) failures.delete(failures.keys().next().value!)
      failures.set(address, { count: 1, until: now() + windowMs })
    }
  }
  return {
    check(address) {
      const failure = current(address)
      if (failure === undefined || failure.count < limit) return
      const retryAfter = Math.max(1, Math.ceil((failure.until - now()) / 1000))
      throw new AlmanacError(
        'auth.throttled',
        `Too many failed attempts. Try again in ${retryAfter} seconds.`,
        {
          retryAfter,
        },
      )
    },
    recordFailure,
    reset: (address) => void failures.delete(address),
    recordAttempt(address) {
      recordFailure(address)
      return () => {
        const found = current(address)
        if (found !== undefined && (found.count -= 1) <= 0) failures.delete(address)
      }
    },
  }
}
