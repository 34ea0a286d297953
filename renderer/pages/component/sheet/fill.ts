// Fills cells from others: down or right from the edge of a selection, or from a source by the fill handle.
import { placeOf, type SheetColumn } from './columns.ts'
import type { Cell, Rect } from './selection.ts'
import type { CellWrite, Sheet } from './sheet.ts'
import type { RowId } from './sheet-rows.ts'

/** Returns writes that repeat `source` over `target`, as a pattern; cells of the source itself are omitted. */
export function planFill(
  sheet: Sheet,
  columns: readonly SheetColumn[],
  rows: readonly RowId[],
  source: Rect,
  target: Rect,
): CellWrite[] {
  const [height, width] = [source.bottom - source.top + 1, source.right - source.left + 1]
  const writes: CellWrite[] = []
  for (let row = target.top; row <= target.bottom; row += 1)
    for (let column = target.left; column <= target.right; column += 1) {
      if (row >= source.top && row <= source.bottom && column >= source.left && column <= source.right)
        continue
      const from = rows[source.top + rhythm(row - source.top, height)]
      const [to, of] = [rows[row], columns[source.left + rhythm(column - source.left, width)]]
      const into = columns[column]
      if (from === undefined || to === undefined || of === undefined || into === undefined) continue
      // Along a row, a value is copied only into a column of the same type.
      if (into.fixed || (of !== into && of.type !== into.type)) continue
      writes.push({ row: to, place: placeOf(into), value: sheet.value(from, placeOf(of)) })
    }
  return writes
}

/** The cells that a drag of the handle of `source` to `cell` covers: down, up, right or left, whichever is further. */
export function fillTargetOf(source: Rect, { row, column }: Cell): Rect {
  const down = Math.max(row - source.bottom, source.top - row, 0)
  const across = Math.max(column - source.right, source.left - column, 0)
  return down >= across
    ? { ...source, top: Math.min(source.top, row), bottom: Math.max(source.bottom, row) }
    : { ...source, left: Math.min(source.left, column), right: Math.max(source.right, column) }
}

function rhythm(distance: number, length: number): number {
  return ((distance % length) + length) % length
}
