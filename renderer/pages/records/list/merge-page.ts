// Puts records that were read again into a page that the user is working in.
import type { RecordJson } from '../../../api/records.ts'

export interface Holds {
  /** Whether a cell is open: records then keep their places. */
  isOpen: boolean
  /** Whether a record has unsaved values, over which nothing newer is shown before the user has seen the difference. */
  isHeld(id: string): boolean
}

/** Versions of rows of a source are texts without an order. */
const isNewer = ({ version: a }: RecordJson, { version: b }: RecordJson): boolean =>
  typeof a === 'number' && typeof b === 'number' && a > b

/** Returns `shown` itself if nothing differs, so that nothing is drawn again. */
export function mergePage(
  shown: readonly RecordJson[],
  found: readonly RecordJson[],
  { isOpen, isHeld }: Holds,
): readonly RecordJson[] {
  const byId = new Map(shown.map((record) => [record.id, record]))
  const current = (record: RecordJson): RecordJson => {
    const before = byId.get(record.id)
    if (before === undefined) return record
    // A save of this page can be newer than what was read.
    if (isHeld(record.id) || isNewer(before, record))
      return { ...before, fields: { ...record.fields, ...before.fields } }
    return JSON.stringify(before) === JSON.stringify(record) ? before : record
  }
  const foundById = new Map(found.map((record) => [record.id, record]))
  const merged = isOpen
    ? shown.map((record) => current(foundById.get(record.id) ?? record))
    : found.map(current)
  // Unsaved values stay visible, even if their record was deleted or no longer meets the filter.
  if (!isOpen)
    for (const [at, record] of shown.entries())
      if (isHeld(record.id) && !foundById.has(record.id))
        merged.splice(Math.min(at, merged.length), 0, record)
  const isSame =
    merged.length === shown.length &&
    merged.every((record, at) => JSON.stringify(record) === JSON.stringify(shown[at]))
  return isSame ? shown : merged
}
