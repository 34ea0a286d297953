// The names of fields of an earlier generation in the one of a request.
import type { ObjectField } from '#kernel/components/object/body.ts'
import { fieldKey, objectPrograms, type ObjectId, type RecordSnapshot } from '#kernel/records/index.ts'

/** The dotted name of a path of one generation in another; null if a part of it does not exist there. */
export function presentName(
  from: RecordSnapshot,
  to: RecordSnapshot,
  object: ObjectId,
  path: readonly string[],
): string | null {
  let at: ObjectId | undefined = object
  const names: string[] = []
  for (const name of path) {
    const [before, now]: (string | undefined)[] = [keyOf(from, at), keyOf(to, at)]
    const field: ObjectField | undefined =
      before === undefined ? undefined : objectPrograms(from.view, before)?.field(name)
    if (before === undefined || now === undefined || field === undefined) return null
    const key = fieldKey(to.names.fieldIds(now), from.names.fieldIds(before).get(field.key)!)
    if (key === undefined) return null
    names.push(key)
    at = field.references === undefined ? undefined : from.names.objectId(field.references)
  }
  return names.join('.')
}

const keyOf = ({ names }: RecordSnapshot, id: ObjectId | undefined): string | undefined =>
  id === undefined ? undefined : names.objectKey(id)
