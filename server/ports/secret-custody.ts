// Storage of secrets that must be read again: on this machine, never in the org's database.
import type { CustodyStatus } from '#wire/remotes.ts'

export interface SecretCustody {
  readonly kind: CustodyStatus['kind']
  /** Whether secrets can be stored now; checked before a user types one. */
  status(): Promise<CustodyStatus>
  /** Replaces the secret of the name. @throws AlmanacError `secret.custody` if it cannot be stored safely. */
  put(name: string, secret: string): Promise<void>
  /** Null if no secret is stored. @throws AlmanacError `secret.custody` */
  get(name: string): Promise<string | null>
  delete(name: string): Promise<void>
}

/**
 * Calls from the server to the process that started it, if that process has the keychain: each message and its reply
 * have the same id.
 */
export interface CustodyCalls {
  'custody/status': { ask: Record<never, never>; answer: { kept: true } | { kept: false; reason: string } }
  'custody/put': { ask: { name: string; secret: string }; answer: null }
  'custody/get': { ask: { name: string }; answer: string | null }
  'custody/delete': { ask: { name: string }; answer: null }
}

export type CustodyCall = keyof CustodyCalls

/** A message from the server. */
export type CustodyRequest = {
  [K in CustodyCall]: { kind: K; id: number } & CustodyCalls[K]['ask']
}[CustodyCall]

/** A reply to the server; `reason` is a sentence for the user. */
export type CustodyReply =
  | { kind: 'custody/answer'; id: number; answer: CustodyCalls[CustodyCall]['answer'] }
  | { kind: 'custody/refused'; id: number; reason: string }

/** The channel to the process that started the server. */
export interface CustodyChannel {
  send(ask: CustodyRequest): void
  /** Receives every message, including those that are not replies. */
  listen(listener: (message: unknown) => void): void
}
