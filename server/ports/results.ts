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

/** What decides who can see a result. */
export interface ResultReads {
  generation: number
  /** The sets and flags that it reads, by their keys in its generation. */
  sets: readonly string[]
}

/** The bound results of one generation that read the same sets and flags. */
export interface ResultGroup extends ResultReads {
  count: number
}

export interface ResultReader {
  get(id: string): StoredResult | undefined
  /** Newest first; `before` is the id of a result, which grows with time. */
  list(options?: { before?: string; limit?: number; generation?: number }): StoredResult[]
  /** Like `list`, but only bound results in these groups. */
  listBound(
    groups: readonly ResultReads[],
    options: { before?: string | undefined; limit: number },
  ): StoredResult[]
  /** Generations to which stored results are bound, with counts. */
  boundGenerations(): Map<number, number>
  /** With periods, only results that read the set or flag that had these keys. */
  boundGroups(periods?: readonly KeyPeriod[]): ResultGroup[]
}

export interface ResultTransactor extends ResultReader {
  put(row: StoredResult): void
}
