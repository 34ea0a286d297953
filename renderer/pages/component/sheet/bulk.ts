// One change to every selected cell: set a value, add an amount or a percentage by exact decimals, shift dates.
import { addDays, addMonths, parseCivilDate, type CivilDate } from '#kernel/dates/civil-date.ts'
import {
  add,
  compareDecimal,
  decimal,
  divide,
  formatDecimal,
  formatFixed,
  multiply,
  parseDecimal,
  roundHalfEven,
  type Decimal,
} from '#kernel/decimal/decimal.ts'
import { placeOf, type CellValue, type SheetColumn } from './columns.ts'
import { parseCell, type CellContext } from './cell-text.ts'
import type { CellWrite, Sheet } from './sheet.ts'
import type { RowId } from './sheet-rows.ts'

export type Bulk =
  | { kind: 'set'; text: string }
  | { kind: 'add'; amount: string }
  | { kind: 'percent'; percent: string }
  | { kind: 'shift'; by: number; unit: 'days' | 'months' | 'years' }

export interface BulkPlan {
  writes: CellWrite[]
  /** How many numbers did not fit their scale exactly and were rounded half-even. */
  rounded: number
  /** How many cells the change does not apply to: a different type, no value, an open end. */
  skippedCells: number
}

/** Plans a change to the given cells without writing anything. */
export function bulkPlan(
  sheet: Sheet,
  cells: Iterable<{ row: RowId; column: SheetColumn }>,
  bulk: Bulk,
  context: CellContext,
): BulkPlan {
  const plan: BulkPlan = { writes: [], rounded: 0, skippedCells: 0 }
  const seen = new Set<string>()
  for (const { row, column } of cells) {
    const place = placeOf(column)
    // Two columns with the same place are shifted once.
    if (column.fixed || seen.has(`${row} ${place}`)) continue
    seen.add(`${row} ${place}`)
    const result = sheet.isOpen(row) ? applyBulkEdit(column, sheet.value(row, place), bulk, context) : null
    if (result === null) plan.skippedCells += 1
    else {
      plan.writes.push({ row, place, value: result.value })
      if (result.rounded) plan.rounded += 1
    }
  }
  return plan
}

interface BulkEditResult {
  value: CellValue
  rounded?: boolean
}

export function applyBulkEdit(
  column: SheetColumn,
  value: CellValue,
  bulk: Bulk,
  context: CellContext,
): BulkEditResult | null {
  switch (bulk.kind) {
    case 'set':
      return { value: parseCell(column, bulk.text, context).value }
    case 'add':
      return computeNumber(column, value, parseDecimal(bulk.amount), add)
    case 'percent':
      return computeNumber(column, value, parseDecimal(bulk.percent), (number, percent) =>
        add(number, divide(multiply(number, percent), decimal(100))),
      )
    case 'shift':
      return shiftDate(column, value, bulk)
  }
}

function computeNumber(
  { type, scale }: SheetColumn,
  value: CellValue,
  by: Decimal | null,
  compute: (number: Decimal, by: Decimal) => Decimal,
): BulkEditResult | null {
  const number = type === 'number' && typeof value === 'string' ? parseDecimal(value) : null
  if (number === null || by === null) return null
  const result = compute(number, by)
  if (scale === undefined) return { value: formatDecimal(result) }
  const rounded = compareDecimal(roundHalfEven(result, scale), result) !== 0
  return { value: formatFixed(result, scale), rounded }
}

function shiftDate(
  { type }: SheetColumn,
  value: CellValue,
  { by, unit }: Extract<Bulk, { kind: 'shift' }>,
): BulkEditResult | null {
  const day = type === 'date' && typeof value === 'string' ? parseCivilDate(value) : null
  if (day === null) return null
  try {
    return { value: addToDate(day, by, unit) }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function addToDate(day: CivilDate, by: number, unit: 'days' | 'months' | 'years'): CivilDate {
  return unit === 'days' ? addDays(day, by) : addMonths(day, unit === 'years' ? by * 12 : by)
}
