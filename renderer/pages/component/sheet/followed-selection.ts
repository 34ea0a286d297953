// Moves the selection with its rows when rows are added or removed, instead of keeping their positions.
import * as sel from './selection.ts'

/**
 * Returns `selection` over `before` as a selection over `after`. If its row was removed, the cursor keeps its position.
 */
export function trackSelection<Row>(
  selection: sel.Selection,
  before: readonly Row[],
  after: readonly Row[],
): sel.Selection {
  const { active, rects } = selection
  const places = new Map(after.map((row, at) => [row, at]))
  /** The row after the last one, where a new row is added, stays after the last. */
  const placeOf = (row: number): number | undefined => {
    const id = before[row]
    return id === undefined ? row - before.length + after.length : places.get(id)
  }
  const row = placeOf(active.row)
  if (row === undefined) {
    // Never the place for a new row: typing there adds a row.
    const last = after.length - 1
    return last >= 0 && active.row > last ? sel.only({ row: last, column: active.column }) : selection
  }
  const by = row - active.row
  const isWhole = rects.every(({ top, bottom }) => {
    for (let each = top; each <= bottom; each += 1) if (placeOf(each) !== each + by) return false
    return true
  })
  if (!isWhole) return sel.only({ row, column: active.column })
  return by === 0 ? selection : shiftSelection(selection, by)
}

function shiftSelection({ active, anchor, rects }: sel.Selection, by: number): sel.Selection {
  return {
    active: { ...active, row: active.row + by },
    anchor: { ...anchor, row: anchor.row + by },
    rects: rects.map((rect) => ({ ...rect, top: rect.top + by, bottom: rect.bottom + by })),
  }
}
