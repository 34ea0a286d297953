// Rows of many keys as one text: packed in one thread, read in another one when a key is first requested.
import type { Scope } from '../components/scopes.ts'
import { emptyRows, insertRow, rowsOfKey, type KeyRows, type SliceRow } from './slice-rows.ts'

/** Keys of a set whose rows have not been read yet. */
export interface PackedShard {
  /** Number of keys. */
  size: number
  /** The text from `packRows`. */
  text: () => string
}

type PackedRow = [
  entry: string,
  /** Null for org. */
  scope: Scope | null,
  /** Null for the beginning of time. */
  from: number | null,
  /** Null for its end. */
  to: number | null,
  priority: number,
  values: SliceRow['values'],
]

const org: Scope = Object.freeze({ kind: 'org' })

export function packRows(keys: Iterable<[string, KeyRows]>): string {
  const packed: [string, PackedRow[]][] = []
  for (const [key, rows] of keys) packed.push([key, Array.from(rowsOfKey(rows), packedRow)])
  return JSON.stringify(packed)
}

export function unpackRows(text: string): Map<string, KeyRows> {
  const read = new Map<string, KeyRows>()
  for (const [key, packed] of JSON.parse(text) as [string, PackedRow[]][]) {
    const rows = emptyRows()
    for (const [entry, scope, from, to, priority, values] of packed)
      insertRow(rows, {
        entry,
        scope: scope ?? org,
        from: from ?? -Infinity,
        to: to ?? Infinity,
        priority,
        values,
      })
    read.set(key, rows)
  }
  return read
}

function packedRow({ entry, scope, from, to, priority, values }: SliceRow): PackedRow {
  // JSON cannot represent infinity: both ends become null.
  return [entry, scope.kind === 'org' ? null : scope, from, to, priority, values]
}
