// What all processes of an org know together of each named credential: its breaker, and who holds which part of its
// budget. Adapters keep texts with versions; what the texts mean is decided in server/callouts/.

export interface LimitCell {
  kind: 'breaker' | 'budget'
  /** Key of the named credential. */
  credential: string
}

export interface LimitState {
  /** 0 if the cell was never written; then it grows with each write. */
  version: number
  /** Null if the cell was never written. */
  text: string | null
  /** The store's clock in milliseconds since 1970, at the time of the read. Never goes back. */
  now: number
}

/**
 * An adapter is a table (kind, credential, version, text) with the first two as its key. All processes of an org use the
 * same one.
 *
 * - `read` sees every `swap` that returned true before it started, from any process.
 * - `swap` is one transaction: it writes the text with `version + 1` if the cell still has `version` (0: if it does not
 *   exist), and otherwise writes nothing.
 * - After a `swap` that rejects, it is not known whether it was written; the caller reads again.
 * - `now` is the clock of the database, or of the only machine that uses it, never that of one process among several.
 * - Nothing is removed: a cell is small (at most 30 KB) and there are two for a named credential.
 */
export interface CalloutLimits {
  read(cell: LimitCell): Promise<LimitState>
  /** Returns whether it was written. */
  swap(cell: LimitCell, version: number, text: string): Promise<boolean>
}
