// Where a secret is kept that must be read again: by this machine, never in the org's database (completions 4; specification 5.6).
import type { CustodyStatus } from '#kernel/remotes/wire.ts'

export interface SecretCustody {
  readonly kind: CustodyStatus['kind']
  /** Whether secrets can be kept now; asked before a person types one. */
  status(): Promise<CustodyStatus>
  /** Replaces what was kept under the name. @throws AlmanacError `secret.custody` where it cannot be kept safely. */
  put(name: string, secret: string): Promise<void>
  /** Null where nothing is kept. @throws AlmanacError `secret.custody` */
  get(name: string): Promise<string | null>
  delete(name: string): Promise<void>
}

/**
 * What the server asks of the process that started it, where that one holds the keychain: one message with a number,
 * one answer with the same number.
 */
export interface CustodyCalls {
  'custody/status': { ask: Record<never, never>; answer: { kept: true } | { kept: false; reason: string } }
  'custody/put': { ask: { name: string; secret: string }; answer: null }
  'custody/get': { ask: { name: string }; answer: string | null }
  'custody/delete': { ask: { name: string }; answer: null }
}

export type CustodyCall = keyof CustodyCalls

/** From the server. */
export type CustodyAsk = {
  [K in CustodyCall]: { kind: K; id: number } & CustodyCalls[K]['ask']
}[CustodyCall]

/** To the server; `reason` is a sentence for a person. */
export type CustodyReply =
  | { kind: 'custody/answer'; id: number; answer: CustodyCalls[CustodyCall]['answer'] }
  | { kind: 'custody/refused'; id: number; reason: string }

/** The way to the process that started the server. */
export interface CustodyChannel {
  send(ask: CustodyAsk): void
  /** Every message that comes, those that are no replies included. */
  listen(listener: (message: unknown) => void): void
}
