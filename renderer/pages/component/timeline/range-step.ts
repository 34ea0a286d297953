// What the algebra of ranges makes of a lane, as a step of the sheet: dates that move, rows that begin, rows that go.
import type { Row } from '#kernel/config/range.ts'
import { dateOf, type DayNumber } from '#kernel/dates/civil-date.ts'
import type { Cells } from '../sheet/row-edit.ts'
import type { CellWrite, Sheet, SheetChange } from '../sheet/sheet.ts'
import type { RowId } from '../sheet/sheet-rows.ts'

/** A row that was there, or the cells of one that begins. */
export type RowOrCells = RowId | Cells

const from = 'body/effectiveFrom'
const to = 'body/effectiveTo'

/**
 * The step from a lane to what became of it. A row that stands there twice was split: the later part is a copy. New
 * cells in the very place of a row that went are that row's from now on, so that its entry keeps its name.
 */
export function stepTo(
  sheet: Sheet,
  before: readonly Row<RowId>[],
  after: readonly Row<RowOrCells>[],
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

function inPlaceOf(gone: ReadonlyMap<RowId, Row<RowId>>, range: Row<RowId>['range']): RowId | undefined {
  for (const [row, was] of gone) if (was.range.from === range.from && was.range.to === range.to) return row
  return undefined
}
