// The row of a consent in the vault: what the user was asked for last, and how it ended.
import type { ConsentAttempt } from '#wire/consents.ts'
import type { Actor } from '../../access/index.ts'
import type { SealedSlot } from '../seal.ts'
import type { PendingConsent } from '../tokens/index.ts'
import type { VaultContent } from '../vault.ts'

export interface ConsentContent {
  /** Grows with every write. */
  version: number
  attempt: ConsentAttempt
  /** When the attempt expires, or when it ended. */
  until: string
  by: Pick<Actor, 'actor' | 'correlationId' | 'operatorName'>
  /** A `ConsentSecrets` while it is waiting; null afterwards, so that it ends once. */
  sealed: SealedSlot | null
}

/** What proves that the user who returns is the one who was sent. */
export interface ConsentSecrets extends PendingConsent {
  /** The page of the other system. */
  url: string
  /** In the cookie of the browser that was sent there. */
  browser: string
  /** Whether the page opens in the browser of the machine and not in that of the studio. */
  isSystem: boolean
  /** Opens the page in a browser that has no session, once; null for that of the studio. */
  ticket: { secret: string; isUsed: boolean } | null
  /** Which client at which server was asked for. */
  grant: string
}

export const consentSlot = 'consent'

export const parseConsent = (content: string): ConsentContent => JSON.parse(content) as ConsentContent

/** How long the end of a consent is shown. */
const shownMs = 24 * 3_600_000

export const consentContent = (content: ConsentContent): VaultContent => ({
  content: JSON.stringify(content),
  dueAt: new Date(Date.parse(content.until) + shownMs).toISOString(),
})

/** For a renewal of the data key. */
export function replaceConsentSlot(content: string, replace: (slot: SealedSlot) => SealedSlot): string {
  const { sealed, ...rest } = parseConsent(content)
  return JSON.stringify({ ...rest, sealed: sealed && replace(sealed) } satisfies ConsentContent)
}

/** An attempt as it is shown: one that was not finished in time is refused. */
export function shownAttempt({ attempt, until }: ConsentContent, now: string): ConsentAttempt {
  const isOpen = attempt.state === 'waiting' || attempt.state === 'exchanging'
  return isOpen && until <= now ? { ...attempt, state: 'refused', reason: expired } : attempt
}

const expired = 'It was not finished in time. Start it again.'
