// Stored results with their bindings.
import type { JsonValue } from '#kernel/change/canonical.ts'
import type { KeyPeriod } from './identities.ts'

export interface StoredResult {
  id: string
  label: string
  at: string
  actor: string
  /** The evaluation as requested: expression, declared inputs, scope path; and its value. */
  expression: string
  inputs: JsonValue
  /** Canonical JSON text of the value; a replay gives the same bytes. */
  value: string
  binding: JsonValue
  state: 'bound' | 'archived'
}

export interface ResultReader {
  get(id: string): StoredResult | undefined
  /** Newest first; `before` is the id of a result, which grows with time. */
  list(options?: { before?: string; limit?: number; generation?: number }): StoredResult[]
  /** Generations to which stored results are bound, with counts. */
  boundGenerations(): Map<number, number>
  /** How many bound results read a set or flag, under any key that it had. */
  countBound(periods: readonly KeyPeriod[]): number
}

export interface ResultTransactor extends ResultReader {
  put(row: StoredResult): void
}
