// Which fields of a virtual object a list needs: others are not asked for, and what is wrong with them is not reported.
import { withFields, type VirtualObject } from '../../virtual/index.ts'
import type { ProjectedField } from '../read/projection.ts'

/** @param others that the list filters or sorts by */
export function neededFields(
  object: VirtualObject,
  projection: readonly ProjectedField[],
  others: Iterable<string> = [],
): VirtualObject {
  const shown = projection.map(({ path: [first] }) => first!.field)
  // A formula can read any field.
  if (shown.some(({ formula }) => formula !== undefined)) return object
  return withFields(object, new Set([...shown.map(({ key }) => key), ...others]))
}
