// "New value from…": determines which row of a lane ends, which one starts, and until when.
import { contains, insertFrom, type RangeRow } from '#kernel/config/range.ts'
import type { DayNumber } from '#kernel/dates/civil-date.ts'
import type { Cells } from './sheet/row-edit.ts'
import type { RowId } from './sheet/sheet-rows.ts'
import type { RowOrCells } from './timeline/range-step.ts'

export interface NewValue {
  /** The change to a lane. */
  rows: RangeRow<RowOrCells>[]
  /** The row that applies on the day and now ends there; null if no row applies. */
  ends: RowId | null
  /** The row that starts on exactly that day and gets the new values instead. */
  replaces: RowId | null
  /** First day on which the new row no longer applies; null if open-ended. */
  to: DayNumber | null
}

/** Plans a new value from `from` in a lane: the rows of one key and scope, which must not overlap. */
export function newValueFrom(lane: readonly RangeRow<RowId>[], from: DayNumber, cells: Cells): NewValue {
  const rows: RangeRow<RowOrCells>[] = insertFrom<RowOrCells>(lane, from, cells)
  const current = lane.find(({ range }) => contains(range, from))
  const replaces = current !== undefined && current.range.from === from
  return {
    rows,
    ends: current === undefined || replaces ? null : current.value,
    replaces: replaces ? current.value : null,
    to: rows.find(({ value }) => value === cells)!.range.to,
  }
}
