// The value of a roll-up after one of its children changed, without a look at the others: for a count, a sum, and a least or
// greatest value that the change cannot have been.
import type { FieldValue } from '../components/field-types.ts'
import type { ObjectField } from '../components/object/body.ts'
import { add, decimal, parseDecimal, subtract, type Decimal } from '../decimal/decimal.ts'
import { compareValues, exprValueFromField, exprValueToStored, type ExprValue } from '../expr/index.ts'
import { evaluateForRecord, type RecordContext } from './evaluate-record.ts'
import { objectPrograms, type FieldProgram } from './object-programs.ts'
import type { RecordView } from './record-view.ts'
import { storedForm } from './stored-form.ts'

/** A child as it was and as it is; null if the parent did not have it, or does not have it any more. */
export interface ChildViews {
  before: RecordView | null
  after: RecordView | null
}

/** What a child adds: whether it is counted, and its value. */
interface Part {
  isCounted: boolean
  value: ExprValue
}

const nothing: Part = { isCounted: false, value: null }

/**
 * Returns the new value; undefined if all children have to be looked at.
 * @throws AlmanacError as `evaluateForRecord`; RangeError if the result does not fit the field
 */
export function rollUpDifference(
  context: RecordContext,
  parent: RecordView,
  field: ObjectField,
  { old, before, after }: ChildViews & { old: FieldValue },
): FieldValue | undefined {
  const { op } = field.rollup!
  if (op === 'avg' || !isOfChildrenAlone(context, parent, field) || !isExact(context, field)) return undefined
  const [was, is] = [before, after].map((child) => partOf(context, parent, field, child)) as [Part, Part]
  if (op === 'count') {
    if (typeof old !== 'string') return undefined
    const change = Number(is.isCounted) - Number(was.isCounted)
    const count = add(parseDecimal(old)!, decimal(change))
    return exprValueToStored(count, storedForm(field))
  }
  if (was.value === null && is.value === null) return old
  // Without a value there may have been no children, or one that could not be computed.
  if (old === null || is.value === null) return undefined
  const form = storedForm(field)
  const total = exprValueFromField(field.type, old)
  if (op === 'sum') return exprValueToStored(sumOf(total, was, is), form)
  const direction = op === 'min' ? 1 : -1
  // The earlier value may have been the least or greatest one.
  if (was.value !== null && compareValues(was.value, total) * direction <= 0) return undefined
  return compareValues(is.value, total) * direction < 0 ? exprValueToStored(is.value, form) : old
}

function sumOf(total: ExprValue, { value: was }: Part, { value: is }: Part): Decimal {
  const increased = add(total as Decimal, is as Decimal)
  return was === null ? increased : subtract(increased, was as Decimal)
}

function partOf(
  context: RecordContext,
  parent: RecordView,
  field: ObjectField,
  child: RecordView | null,
): Part {
  if (child === null) return nothing
  const filter = filterOf(context, parent, field)
  if (filter !== null && evaluateForRecord(context, filter, child, { dated: parent }) !== true) return nothing
  const operand = operandOf(context, field)
  return {
    isCounted: true,
    value: operand === undefined ? null : exprValueFromField(operand.type, child.value(operand.key)),
  }
}

function filterOf({ snapshot }: RecordContext, parent: RecordView, field: ObjectField): FieldProgram | null {
  return objectPrograms(snapshot.view, parent.object)!.filter(field)
}

function operandOf({ snapshot }: RecordContext, field: ObjectField): ObjectField | undefined {
  const { of, child } = field.rollup!
  return of === undefined ? undefined : objectPrograms(snapshot.view, child)?.field(of)
}

/** Whether the filter reads only stored fields of the child: what it reads elsewhere can have changed for all children. */
function isOfChildrenAlone(context: RecordContext, parent: RecordView, field: ObjectField): boolean {
  const child = objectPrograms(context.snapshot.view, field.rollup!.child)
  if (child === null) return false
  const paths = filterOf(context, parent, field)?.paths ?? []
  return paths.every(({ path }) => path.length === 1 && child.field(path[0]!)?.formula?.stored !== false)
}

/** Whether the stored value has all digits of those of the children. */
function isExact(context: RecordContext, field: ObjectField): boolean {
  const operand = operandOf(context, field)
  return operand?.type !== 'number' || (operand.scale ?? 0) <= (field.scale ?? 0)
}
