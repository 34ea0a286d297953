// Turns the result of the range algebra into a step of the sheet: moved dates, added rows, removed rows.
import type { RangeRow } from '#kernel/config/range.ts'
import { dateOf, type DayNumber } from '#kernel/dates/civil-date.ts'
import type { Cells } from '../sheet/row-edit.ts'
import type { CellWrite, Sheet, SheetChange } from '../sheet/sheet.ts'
import type { RowId } from '../sheet/sheet-rows.ts'

/** An existing row, or the cells of a new one. */
export type RowOrCells = RowId | Cells

const from = 'body/effectiveFrom'
const to = 'body/effectiveTo'

/**
 * Returns the step from a lane to its new rows. A row that appears twice was split: the later part is a copy. New cells
 * with exactly the range of a removed row are written into that row, so its entry keeps its name.
 */
export function stepTo(
  sheet: Sheet,
  before: readonly RangeRow<RowId>[],
  after: readonly RangeRow<RowOrCells>[],
): Required<SheetChange> {
  const writes: CellWrite[] = []
  const added: Cells[] = []
  const seen = new Set<RowId>()
  const gone = new Map(
    before.filter(({ value }) => !after.some((row) => row.value === value)).map((row) => [row.value, row]),
  )
  for (const { range, value } of after) {
    const dates = { [from]: dateOf(range.from), [to]: ending(range.to) }
    const replaced = typeof value === 'object' ? inPlaceOf(gone, range) : undefined
    if (typeof value === 'object' && replaced !== undefined) {
      gone.delete(replaced)
      writes.push(...writesOf(replaced, { ...value, ...dates }))
    } else if (typeof value === 'object') added.push({ ...value, ...dates })
    else if (seen.has(value)) added.push({ ...sheet.cellsOf(value), ...dates })
    else {
      seen.add(value)
      writes.push(...writesOf(value, dates))
    }
  }
  return { writes, added, removed: [...gone.keys()] }
}

const ending = (day: DayNumber | null): string | null => (day === null ? null : dateOf(day))

function writesOf(row: RowId, cells: Cells): CellWrite[] {
  return Object.entries(cells).map(([place, value]) => ({ row, place, value }))
}

function inPlaceOf(
  gone: ReadonlyMap<RowId, RangeRow<RowId>>,
  range: RangeRow<RowId>['range'],
): RowId | undefined {
  for (const [row, was] of gone) if (was.range.from === range.from && was.range.to === range.to) return row
  return undefined
}
