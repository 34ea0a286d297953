// Why the value of a condition cannot be compared with its field, in the words of those who enter records.
import type { FieldDescription } from '../../../api/records.ts'
import { valueFault } from '../value-fault.ts'
import { needsValue, type FilterCondition } from './filter-conditions.ts'

type Field = Pick<FieldDescription, 'label' | 'type' | 'values' | 'labels'>

/** A number can be compared even if the field could not store it. */
const anySize = { precision: 400, scale: 200 }

/** Null if the value fits, and while none is entered. */
export function conditionFault(
  field: Field,
  { operator, value }: Pick<FilterCondition, 'operator' | 'value'>,
): string | null {
  const isCompared = field.type === 'number' || field.type === 'date'
  return isCompared && needsValue(operator) ? valueFault({ ...field, ...anySize }, value) : null
}
