// Compares rows by the order that the source was asked for, as far as it is the same everywhere: texts and enumerations
// are ordered by each source in its own way.
import type { FieldValue } from '#kernel/components/field-types.ts'
import { compareValues, exprValueFromField } from '#kernel/expr/index.ts'
import type { RemoteRow } from './remote-row.ts'
import type { VirtualObject } from './virtual-object.ts'

export interface RowOrder {
  field: string
  dir: 'asc' | 'desc'
}

/** `absent`: a row without a value is at the wrong end. */
export type OrderFault = 'values' | 'absent'

export const orderValues = (row: RemoteRow, order: readonly RowOrder[]): FieldValue[] =>
  order.map(({ field }) => row.fields.get(field) ?? null)

/** Null if the second row can follow the first. */
export function orderFault(
  first: readonly FieldValue[],
  second: readonly FieldValue[],
  order: readonly RowOrder[],
  { fields }: VirtualObject,
): OrderFault | null {
  for (const [at, { field, dir }] of order.entries()) {
    const [a, b] = [first[at] ?? null, second[at] ?? null]
    if (a === b) continue
    const isSmallerFirst = dir === 'asc'
    // Absent is the lowest.
    if (a === null || b === null) return (a === null) === isSmallerFirst ? null : 'absent'
    const { type } = fields.get(field)!.field
    if (type === 'boolean') return (a === false) === isSmallerFirst ? null : 'values'
    if (type !== 'number' && type !== 'date' && type !== 'datetime') return null
    const compared = compareValues(exprValueFromField(type, a), exprValueFromField(type, b))
    if (compared !== 0) return compared < 0 === isSmallerFirst ? null : 'values'
  }
  return null
}
