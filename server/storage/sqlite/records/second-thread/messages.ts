// What the two threads of a transaction send each other.
import type { SerializedError } from '#kernel/errors/serialized-error.ts'
import type { SentWrites } from './sent-writes.ts'

/** The first and the last message of the thread that starts the writer come before and after these. */
export type ToWriter =
  | { kind: 'begin'; id: number }
  | { kind: 'writes'; writes: SentWrites }
  | { kind: 'call'; id: number; method: string; values: readonly unknown[] }
  | { kind: 'commit' }
  | { kind: 'roll_back' }

export type FromWriter =
  | { kind: 'answer'; id: number; answer: unknown }
  | { kind: 'refusal'; id: number; error: SerializedError }
  /** The transaction is over: committed, or rolled back if an error is given or that was asked for. */
  | { kind: 'ended'; error: SerializedError | null }
