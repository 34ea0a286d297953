// "New value from…" for one key or many: each key's current value, its new value, and the one step that drafts them.
import { dayOf, parseCivilDate, type CivilDate, type DayNumber } from '#kernel/dates/civil-date.ts'
import { contains, findOverlaps, type RangeRow } from '#kernel/config/range.ts'
import { scopeText, type Scope } from '#kernel/components/scopes.ts'
import { isObject } from '../../widgets/widget.ts'
import { newValueFrom, type NewValue } from './new-value.ts'
import { applyBulkEdit, type Bulk } from './sheet/bulk.ts'
import type { CellContext } from './sheet/cell-text.ts'
import { placeOf, sameValue, type CellValue, type SheetColumn } from './sheet/columns.ts'
import type { PastRange } from './sheet/past-days.ts'
import type { Cells } from './sheet/row-edit.ts'
import type { Sheet, SheetChange } from './sheet/sheet.ts'
import type { RowId } from './sheet/sheet-rows.ts'
import { algebraOf, lanesOf } from './timeline/lanes.ts'
import { stepTo } from './timeline/range-step.ts'

/** The target of a new value: the drafted lane of one key and scope. */
export interface Lane {
  key: string | null
  scope: Scope
  rows: RangeRow<RowId>[]
  /** Whether rows apply on the same days; such a lane does not accept a new value. */
  overlaps: boolean
}

export function laneOf(sheet: Sheet, key: string | null, scope: Scope, dated: boolean): Lane {
  const name = scopeText(scope)
  const rows = dated
    ? lanesOf(sheet, [key])
        .filter((each) => scopeText(each.scope) === name)
        .flatMap(algebraOf)
    : []
  return { key, scope, rows, overlaps: findOverlaps(rows.map(({ range }) => range)).length > 0 }
}

/** The row that applies in a lane on a day; before the first row, the first row; in a gap, the row before it. */
export function currentRow(sheet: Sheet, lane: Lane, day: DayNumber, dated: boolean): RowId | null {
  if (!dated) return undatedRow(sheet, lane)
  const before = lane.rows.filter(({ range }) => range.from <= day)
  const found = before.find(({ range }) => contains(range, day)) ?? before.at(-1) ?? lane.rows[0]
  return found?.value ?? null
}

function undatedRow(sheet: Sheet, { key, scope }: Lane): RowId | null {
  const name = scopeText(scope)
  const isAt = (row: RowId): boolean => {
    const other = sheet.value(row, 'body/scope')
    return sheet.isOpen(row) && isObject(other) && scopeText(other as unknown as Scope) === name
  }
  return sheet.rowsOfKey(key).find(isAt) ?? null
}

/** A copy of one key's value, or a change to each key's own value. */
export type ValueChange = Exclude<Bulk, { kind: 'shift' }> | { kind: 'copy'; key: string }

export interface KeyPlan {
  key: string | null
  /** The value of the changed field on the first day. */
  before: CellValue
  after: CellValue
  /** Whether the result was rounded to the scale of the field. */
  rounded: boolean
  plan: NewValue | null
  /** The reason why nothing is drafted for the key. */
  problem: string | null
  lane: Lane
}

export interface NewValuesDeps {
  sheet: Sheet
  context: CellContext
  scope: Scope
  from: CivilDate
  column: SheetColumn
  change: ValueChange | null
}
/** Plans the change for each key: its own current row with one value changed, from the first day on. */
export function plansOf(keys: readonly (string | null)[], deps: NewValuesDeps): KeyPlan[] {
  return keys.map((key) => planOf(key, deps))
}

function planOf(key: string | null, deps: NewValuesDeps): KeyPlan {
  const { sheet, scope, from, column, change } = deps
  const lane = laneOf(sheet, key, scope, true)
  const place = placeOf(column)
  const row = currentRow(sheet, lane, dayOf(from), true)
  const none = { key, before: undefined, after: undefined, rounded: false, plan: null, lane }
  if (lane.overlaps) return { ...none, problem: 'Two rows overlap. Fix that on the timeline first.' }
  if (row === null) return { ...none, problem: 'No row at this scope to start from.' }
  const before = sheet.value(row, place)
  if (change === null) return { ...none, before, problem: 'Enter the change.' }
  const result = valueAfter(before, change, deps)
  if (result === null) return { ...none, before, problem: 'This change cannot be made to this value.' }
  if (sameValue(result.value, before))
    return { ...none, before, after: before, problem: 'The value stays the same.' }
  const cells: Cells = { ...sheet.cellsOf(row), [place]: result.value }
  const plan = newValueFrom(lane.rows, dayOf(from), cells)
  return { key, before, after: result.value, rounded: result.rounded ?? false, plan, problem: null, lane }
}

function valueAfter(
  before: CellValue,
  change: ValueChange,
  { sheet, context, scope, from, column }: NewValuesDeps,
): { value: CellValue; rounded?: boolean } | null {
  if (change.kind !== 'copy') return applyBulkEdit(column, before, change, context)
  const source = laneOf(sheet, change.key, scope, true)
  const row = currentRow(sheet, source, dayOf(from), true)
  return row === null ? null : { value: sheet.value(row, placeOf(column)) }
}

/** Combines all plans into one step, with the row that each added row follows. */
export function stepOf(
  sheet: Sheet,
  plans: readonly Pick<KeyPlan, 'lane' | 'plan'>[],
): Required<SheetChange> & { behind: (RowId | null)[] } {
  const steps = plans.flatMap(({ lane, plan }) =>
    plan === null
      ? []
      : [{ ...stepTo(sheet, lane.rows, plan.rows), at: plan.ends ?? lane.rows.at(-1)?.value ?? null }],
  )
  return {
    writes: steps.flatMap(({ writes }) => writes),
    added: steps.flatMap(({ added }) => added),
    removed: steps.flatMap(({ removed }) => removed),
    behind: steps.flatMap(({ added, at }) => added.map(() => at)),
  }
}

/** The days before today on which a new value from `from` applies; `to` is the first day on which it no longer does. */
export function pastOfPlan(from: string, to: DayNumber | null, today: string): PastRange[] {
  const [first, now] = [parseCivilDate(from), parseCivilDate(today)]
  if (first === null || now === null || first >= now) return []
  const end = Math.min(to ?? dayOf(now), dayOf(now)) as DayNumber
  return [{ from: dayOf(first), to: end }]
}
