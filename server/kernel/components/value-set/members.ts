// Looks up values in a value set. The index is built once per version of the set.
import type { ComponentOf } from '../body-types.ts'
import type { ValueSetBody } from './body.ts'

type SetValue = ValueSetBody['values'][number]

const indexes = new WeakMap<ValueSetBody, ReadonlyMap<string, SetValue>>()

/** Returns the values of a set by key. */
export function valuesByKey(set: ComponentOf<'value_set'>): ReadonlyMap<string, SetValue> {
  let index = indexes.get(set.body)
  if (index === undefined) {
    index = new Map(set.body.values.map((value) => [value.key, value]))
    indexes.set(set.body, index)
  }
  return index
}
