// Which objects a change of computed fields reaches, through roll-ups and along references.
import { isComputed } from '#kernel/components/placed-fields.ts'
import { fieldKey, objectPrograms, type ObjectPrograms, type RecordSnapshot } from '#kernel/records/index.ts'
import { readersOver } from '../records/index.ts'

/** Returns these objects and, transitively, those whose roll-ups and stored formulas read a computed field of one of them. */
export function withReaders(present: RecordSnapshot, objects: ReadonlySet<string>): Set<string> {
  const { view } = present
  const found = new Set(objects)
  // Grows while it is iterated.
  for (const key of found) {
    for (const { key: parent, body } of view.list('object'))
      if (body.storage === 'local' && rollsUp(objectPrograms(view, parent)!, key, view)) found.add(parent)
    for (const reader of followingReaders(present, key)) found.add(reader)
  }
  return found
}

/** Objects with a stored formula that reads a computed field of an object along a reference. */
function followingReaders(present: RecordSnapshot, key: string): string[] {
  const { view, names } = present
  const id = names.objectId(key)
  if (id === undefined) return []
  const ids = names.fieldIds(key)
  return readersOver(present, id).flatMap(({ object, field }) => {
    const name = fieldKey(ids, field)
    const read = name === undefined ? undefined : objectPrograms(view, key)?.field(name)
    const reader = names.objectKey(object)
    return read !== undefined && isComputed(read) && reader !== undefined ? [reader] : []
  })
}

/** Whether a roll-up of an object reads a computed field of its children. */
function rollsUp(parent: ObjectPrograms, childKey: string, view: RecordSnapshot['view']): boolean {
  return parent.body.fields.some((field) => {
    const { rollup } = field
    if (rollup?.child !== childKey) return false
    const child = objectPrograms(view, childKey)
    const filter = parent.filter(field)?.paths.map(({ path }) => path[0]!) ?? []
    return [rollup.of, ...filter].some((name) => {
      const read = name === undefined ? undefined : child?.field(name)
      return read !== undefined && isComputed(read)
    })
  })
}
