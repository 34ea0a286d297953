// Where a page of a virtual object ended. Its cursor belongs to the source; the rest detects changes since then.
import type { FieldValue } from '#kernel/components/field-types.ts'

export type RemoteCursor =
  /** Pages by the source: the first one, or the next link of an earlier one. */
  | { kind: 'first' }
  | { kind: 'link'; path: string; query: string }
  /** The source does not page, so each page is cut out: after so many rows. */
  | { kind: 'skip'; rows: number }

/** JSON. It contains ids and values of rows, so a client receives it only sealed. */
export interface RemotePlace {
  cursor: RemoteCursor
  /** How many rows of the response at the cursor were used. */
  used: number
  /** Rows that each response was asked for. */
  size: number
  /** Of the last row: its id, and the values of the order. */
  last: { id: string; order: FieldValue[] } | null
  /** Hashes of the ids of the latest rows. */
  recent: string[]
  /** Hash of the id of the first row of the list: a source that ignores `$skip` begins each part with it. */
  first: string | null
  /** How many rows of the list have come so far. */
  taken: number
  /** How many rows the source had counted. */
  count: number | null
}
