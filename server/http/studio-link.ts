// The one-time link of the studio: a random secret for each start of the server, valid once.
import { timingSafeEqual } from 'node:crypto'
import type { Randomness } from '../ports/randomness.ts'

export interface StudioLink {
  /** Path, `/session?once=…`; null after its use. */
  readonly path: string | null
  /** Returns true once, for the right secret. */
  redeem(once: string): boolean
  /** Makes the link valid again if the session could not be opened. */
  restore(): void
  /** Calls back when the link has been used. */
  onUsed(listener: () => void): void
  markUsed(): void
}

export function createStudioLink(random: Randomness): StudioLink {
  const secret = Buffer.from(random.bytes(32)).toString('base64url')
  const listeners = new Set<() => void>()
  let valid = true
  return {
    get path() {
      return valid ? `/session?once=${secret}` : null
    },
    redeem(once) {
      if (!valid || !isEqualInConstantTime(once, secret)) return false
      valid = false
      return true
    },
    restore: () => void (valid = true),
    onUsed: (listener) => void listeners.add(listener),
    markUsed: () => {
      for (const listener of listeners) listener()
    },
  }
}

/** Compares in constant time for texts of the same length. */
export function isEqualInConstantTime(first: string, second: string): boolean {
  const [a, b] = [Buffer.from(first), Buffer.from(second)]
  return a.length === b.length && timingSafeEqual(a, b)
}
