// Compares a record with what it was when a cell was typed: what others changed since, and whether it is the same value.
import { normaliseNumber } from '#kernel/decimal/decimal.ts'
import { parseInstant } from '#kernel/expr/instant.ts'
import type { FieldDescription, RecordJson, RecordValue } from '../../../api/records.ts'
import { storedName, type GridColumn } from '../grid-columns.ts'
import type { CellSave } from './cell-saves.ts'

export interface SavedGrid {
  object: string
  columns: readonly GridColumn[]
}

/** The column in which a field of the record is edited. */
export const columnOf = ({ columns }: Pick<SavedGrid, 'columns'>, field: string): GridColumn | undefined =>
  columns.find((each) => each.along === null && each.field.key === field)

/** Columns of entered values that differ. Computed ones follow from them, and nobody typed them. */
export function changedColumns(
  { columns }: Pick<SavedGrid, 'columns'>,
  before: RecordJson,
  now: RecordJson,
): GridColumn[] {
  return columns
    .filter(({ field, along }) => along === null && field.computed === null)
    .filter((column) => before.fields[storedName(column)] !== now.fields[storedName(column)])
}

/** What a refused save shows of a record that was changed in the meantime. */
export function conflictOf(
  column: GridColumn | undefined,
  {
    base,
    current,
    changed,
    by,
  }: { base: RecordJson; current: RecordJson; changed: readonly GridColumn[]; by: string },
): CellSave {
  const valueIn = ({ fields }: RecordJson): RecordValue =>
    (column === undefined ? null : fields[storedName(column)]) ?? null
  return {
    ...{ state: 'conflict', by, before: valueIn(base), theirs: valueIn(current) },
    theirName: String((column && current.fields[column.name]) ?? ''),
    others: changed.filter((each) => each !== column).map(({ label }) => label),
  }
}

/** Whether two values are the same; a typed number or moment is the same as its stored form. */
export function isSameValue(field: FieldDescription | undefined, a: RecordValue, b: RecordValue): boolean {
  if (a === b) return true
  if (typeof a !== 'string' || typeof b !== 'string') return false
  const [one, other] = [storedForm(field, a), storedForm(field, b)]
  return one !== null && one === other
}

function storedForm(field: FieldDescription | undefined, text: string): string | null {
  const { type, precision, scale } = field ?? {}
  if (type === 'datetime') return parseInstant(text)?.text ?? null
  if (type !== 'number' || precision == null || scale == null) return null
  const number = normaliseNumber(text, precision, scale)
  return number.ok ? number.text : null
}
