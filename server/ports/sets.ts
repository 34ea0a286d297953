// Sets and flags in storage: their config digests, and which business keys have entries.
import type { Digest } from '#kernel/change/digest.ts'

/** What the database stores about a set at a generation, without its rows. */
export interface SetSummary {
  set: string
  digest: Digest
  bytes: number
}

export interface SetSummariesWrite {
  sets: readonly SetSummary[]
  /** Sets and flags that were removed. */
  removed: readonly string[]
}

export interface SetReader {
  /** Config digest of a set or flag, as of a generation. */
  summary(generation: number, set: string): SetSummary | undefined
  /** The same, after verifying the digest over definition and entries. @throws AlmanacError storage.damaged */
  verifiedSummary(generation: number, set: string): SetSummary | undefined
  /**
   * JSON array of the digests of a set's or flag's entries, by entry key ascending: the content of its config digest.
   */
  entryDigests(generation: number, set: string): string
  /** Sets and flags whose definition or entries differ between two generations. */
  changedBetween(from: number, to: number): string[]
  /** Business keys of a set's entries at a generation, ascending; null for entries that have none. */
  businessKeys(generation: number, set: string): (string | null)[]
  /** Business keys with an entry that differs between two generations, in either of them; ascending. */
  changedKeysBetween(from: number, to: number, set: string): (string | null)[]
}

export interface SetTransactor extends SetReader {
  /** Writes the facts of the sets and flags that a generation touched. */
  putSummaries(generation: number, write: SetSummariesWrite): void
}
