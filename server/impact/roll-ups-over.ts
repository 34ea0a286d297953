// Which objects a change of computed fields reaches through roll-ups.
import { isComputed } from '#kernel/components/placed-fields.ts'
import { objectPrograms, type ObjectPrograms, type RecordSnapshot } from '#kernel/records/index.ts'

/** Returns these objects and, transitively, those with a roll-up that reads a computed field of one of them. */
export function withRollUpsOver({ view }: RecordSnapshot, objects: ReadonlySet<string>): Set<string> {
  const found = new Set(objects)
  for (let size = -1; size < found.size;) {
    size = found.size
    for (const { key, body } of view.list('object'))
      if (body.storage === 'local' && readsComputed(objectPrograms(view, key)!, found, view)) found.add(key)
  }
  return found
}

function readsComputed(
  parent: ObjectPrograms,
  objects: ReadonlySet<string>,
  view: RecordSnapshot['view'],
): boolean {
  return parent.body.fields.some((field) => {
    const { rollup } = field
    if (rollup === undefined || !objects.has(rollup.child)) return false
    const child = objectPrograms(view, rollup.child)
    const filter = parent.filter(field)?.paths.map(({ path }) => path[0]!) ?? []
    return [rollup.of, ...filter].some((name) => {
      const read = name === undefined ? undefined : child?.field(name)
      return read !== undefined && isComputed(read)
    })
  })
}
