// Conditions on the rows of a virtual object that every source can apply (docs/reference/expressions.md).
import type { CivilDate } from '../dates/civil-date.ts'
import type { FilterOperator } from './filter.ts'
import type { ExprValue } from './values.ts'

export type RemoteFunction =
  'lower' | 'upper' | 'trim' | 'substring' | 'size' | 'concat' | 'year' | 'month' | 'day' | 'floor' | 'ceil'

/** A value of the row, or a constant. It is absent if a field in it is absent, and only then. */
export type RemoteOperand =
  | { op: 'field'; field: string }
  | { op: 'value'; value: Exclude<ExprValue, null> }
  | { op: 'call'; function: RemoteFunction; args: readonly RemoteOperand[] }
  | { op: 'arithmetic'; operator: '+' | '-' | '*'; left: RemoteOperand; right: RemoteOperand }

/** A condition is never absent: a comparison with an absent operand is false. Fields are keys of the object. */
export type RemoteFilter =
  | { op: 'constant'; value: boolean }
  | { op: 'and' | 'or'; left: RemoteFilter; right: RemoteFilter }
  | { op: 'not'; of: RemoteFilter }
  | { op: 'compare'; operator: FilterOperator; left: RemoteOperand; right: RemoteOperand }
  /** Compares the UTC date of a datetime. */
  | { op: 'compare_day'; operator: FilterOperator; field: string; day: CivilDate }
  | { op: 'present'; of: RemoteOperand }
  | { op: 'is_true'; field: string }
  | { op: 'contains' | 'starts_with' | 'ends_with'; of: RemoteOperand; text: RemoteOperand }

export const never: RemoteFilter = { op: 'constant', value: false }

export function constantOperand(value: ExprValue): RemoteOperand | null {
  return value === null ? null : { op: 'value', value }
}

export function arithmetic(
  operator: '+' | '-' | '*',
  left: RemoteOperand | null,
  right: RemoteOperand | null,
): RemoteOperand | null {
  return left === null || right === null ? null : { op: 'arithmetic', operator, left, right }
}

/** Whether an operand is equal to one of the items; absent items are equal to nothing. */
export function equalToAny(of: RemoteOperand | null, items: readonly (RemoteOperand | null)[]): RemoteFilter {
  if (of === null) return never
  return anyOf(
    items
      .filter((item) => item !== null)
      .map((item) => ({ op: 'compare', operator: '==', left: of, right: item })),
  )
}

/** In halves, so that a long list is not a deep tree. */
function anyOf(conditions: readonly RemoteFilter[]): RemoteFilter {
  if (conditions.length <= 1) return conditions[0] ?? never
  const half = Math.ceil(conditions.length / 2)
  return { op: 'or', left: anyOf(conditions.slice(0, half)), right: anyOf(conditions.slice(half)) }
}
