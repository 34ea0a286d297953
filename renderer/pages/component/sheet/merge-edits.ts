// Edits of one row by two users, or over a row that has become active: what remains of them, and whether they conflict.
import { compareDecimal, parseDecimal } from '#kernel/decimal/decimal.ts'
import { sameValue, type CellValue } from './columns.ts'
import type { ActiveValue, Cells, RowEdit } from './row-edit.ts'
import { cellOf } from './sheet-rows.ts'

/** The part of an edit that still changes an active row; undefined if all of it is active. */
export function remainingEdit(
  edit: RowEdit,
  active: Exclude<ActiveValue, null>,
  places: readonly string[],
): RowEdit | undefined {
  if (edit.kind === 'removed' || edit.kind === 'unread') return edit
  const cells = Object.fromEntries(
    Object.entries(edit.cells).filter(
      ([place, value]) =>
        places.includes(place) && !isUnnamed(place, value) && !meansSame(value, active(place)),
    ),
  )
  return Object.keys(cells).length === 0 ? undefined : { kind: 'changed', cells }
}

/** Whether two values are the same once active, when a number has the scale of its field. */
export function meansSame(a: CellValue, b: CellValue): boolean {
  if (sameValue(a, b)) return true
  const [one, other] = [
    typeof a === 'string' ? parseDecimal(a) : null,
    typeof b === 'string' ? parseDecimal(b) : null,
  ]
  return one !== null && other !== null && compareDecimal(one, other) === 0
}

/** The server gives a new row without a label a default one. */
const isUnnamed = (place: string, value: CellValue): boolean =>
  place === 'label' && (value === undefined || value === '')

/**
 * Joins my edit and theirs, both based on `before`. Null if both wrote different values to one place, or if one removed
 * the row or replaced its text.
 */
export function mergeEdits(
  before: RowEdit | undefined,
  mine: RowEdit | undefined,
  theirs: RowEdit | undefined,
  active: ActiveValue,
): RowEdit | null {
  const [was, own, other] = [cellsOf(before), cellsOf(mine), cellsOf(theirs)]
  if (was === null || own === null || other === null || mine === undefined || theirs === undefined)
    return null
  if (mine.kind !== theirs.kind) return null
  if (mine.kind === 'added' && theirs.kind === 'added' && mine.slug !== theirs.slug) return null
  const of = (edit: RowEdit | undefined, place: string): CellValue => cellOf(edit, active, place)
  const joined: Record<string, CellValue> = {}
  for (const place of new Set([...Object.keys(was), ...Object.keys(own), ...Object.keys(other)])) {
    const [first, one, two] = [of(before, place), of(mine, place), of(theirs, place)]
    const [isMine, isTheirs] = [!sameValue(one, first), !sameValue(two, first)]
    if (isMine && isTheirs && !sameValue(one, two)) return null
    const value = isMine ? one : two
    if (mine.kind === 'added' || !sameValue(value, active?.(place))) joined[place] = value
  }
  return mine.kind === 'added' ? { ...mine, cells: joined } : { kind: 'changed', cells: joined }
}

function cellsOf(edit: RowEdit | undefined): Cells | null {
  if (edit === undefined) return {}
  return edit.kind === 'changed' || edit.kind === 'added' ? edit.cells : null
}
