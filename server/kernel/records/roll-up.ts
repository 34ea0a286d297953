// The value of a roll-up, computed from all children of a record.
import type { FieldValue } from '../components/field-types.ts'
import type { ObjectField } from '../components/object/body.ts'
import { add, divide, parseDecimal, type Decimal } from '../decimal/decimal.ts'
import { compareValues, exprValueFromField, exprValueToStored, type ExprValue } from '../expr/index.ts'
import { evaluateForRecord, type RecordContext } from './evaluate-record.ts'
import { objectPrograms } from './object-programs.ts'
import type { RecordView } from './record-view.ts'
import { storedForm } from './stored-form.ts'

/**
 * The count of no children is 0; the other results are absent. The filter is evaluated as of the date of the parent.
 * @throws AlmanacError as `evaluateForRecord`; RangeError if the result does not fit the field
 */
export function rollUp(
  context: RecordContext,
  parent: RecordView,
  field: ObjectField,
  children: Iterable<RecordView>,
): FieldValue {
  const { op, of } = field.rollup!
  const programs = objectPrograms(context.snapshot.view, parent.object)!
  const child = objectPrograms(context.snapshot.view, field.rollup!.child)
  const operand = of === undefined ? undefined : child?.field(of)
  const filter = programs.filter(field)
  const values: ExprValue[] = []
  let count = 0
  for (const each of children) {
    if (filter !== null && evaluateForRecord(context, filter, each, { dated: parent }) !== true) continue
    count += 1
    const value = operand === undefined ? null : exprValueFromField(operand.type, each.value(operand.key))
    if (value !== null) values.push(value)
  }
  if (op === 'count') return exprValueToStored(parseDecimal(String(count)), storedForm(field))
  if (values.length === 0) return null
  return exprValueToStored(aggregate(op, values), storedForm(field))
}

function aggregate(op: 'sum' | 'min' | 'max' | 'avg', values: readonly ExprValue[]): ExprValue {
  switch (op) {
    case 'sum':
      return sum(values)
    case 'avg':
      return divide(sum(values), parseDecimal(String(values.length))!)
    case 'min':
      return values.reduce((least, value) => (compareValues(value, least) < 0 ? value : least))
    case 'max':
      return values.reduce((most, value) => (compareValues(value, most) > 0 ? value : most))
  }
}

const sum = (values: readonly ExprValue[]): Decimal =>
  (values as readonly Decimal[]).reduce((total, value) => add(total, value))
