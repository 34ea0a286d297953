// The values of one key over all days for one scope path, as segments.
import type { Scope, ScopePath } from '../components/scopes.ts'
import type { FieldValue } from '../components/field-types.ts'
import { dateOf, type CivilDate, type DayNumber } from '../dates/civil-date.ts'
import { resolveFast } from './resolve.ts'
import { rowsOfKey } from './slice-rows.ts'
import type { SetSlice, SliceRow } from './slice-types.ts'

/** Consecutive days on which one entry applies. */
export interface Segment {
  /** First day; null if the set is not dated, or for the beginning of time. */
  from: CivilDate | null
  /** First day that no longer applies; null is open-ended. */
  to: CivilDate | null
  /** Key of the entry; the flag's own key if its default applies. */
  entry: string
  scope: Scope
  values: Readonly<Record<string, FieldValue>>
}

/**
 * Returns segments in chronological order, without days that have no value. `key` is `''` for a singleton and a flag.
 */
export function segmentsOf(slice: SetSlice, key: string, path: ScopePath): Segment[] {
  const rows = slice.rowsByKey.get(key)
  if (rows === undefined) return []
  const edges = new Set<number>()
  for (const { from, to } of rowsOfKey(rows)) edges.add(from).add(to)
  const sorted = [...edges].sort((a, b) => a - b)
  const segments: { row: SliceRow; from: number; to: number }[] = []
  for (const [at, from] of sorted.entries()) {
    const to = sorted[at + 1]
    if (to === undefined) break
    const row = resolveFast(slice, key, path, from)
    if (row === null) continue
    const last = segments.at(-1)
    if (last !== undefined && last.row === row && last.to === from) last.to = to
    else segments.push({ row, from, to })
  }
  return segments.map(({ row: { entry, scope, values }, from, to }) => ({
    ...{ from: dateText(from), to: dateText(to), entry, scope, values },
  }))
}

function dateText(day: number): CivilDate | null {
  return Number.isFinite(day) ? dateOf(day as DayNumber) : null
}
