// Which roll-ups are over the records of an object, and which fields of these records they read.
import type { ObjectField } from '#kernel/components/object/body.ts'
import {
  objectPrograms,
  type FieldId,
  type FieldProgram,
  type RecordSnapshot,
} from '#kernel/records/index.ts'
import { oncePerView } from './once-per-view.ts'

interface RollupOver {
  parent: string
  field: ObjectField
}

const rollupsByChild = oncePerView(({ view }) => {
  const byChild = new Map<string, RollupOver[]>()
  for (const { key: parent, body } of view.list('object'))
    for (const field of body.fields)
      if (field.rollup !== undefined)
        byChild.set(field.rollup.child, [...(byChild.get(field.rollup.child) ?? []), { parent, field }])
  return byChild
})

/** The roll-ups over an object. */
export const rollupsOver = (snapshot: RecordSnapshot, child: string): readonly RollupOver[] =>
  rollupsByChild(snapshot).get(child) ?? []

type RollupReads = ReadonlyMap<FieldId, ReadonlySet<FieldId>>

/** The fields of its children that each roll-up of a generation reads. */
export const rollupReads = oncePerView((snapshot) => readsOfRollups(snapshot, () => true))

/** The same for roll-ups whose values keep the generation. */
export const boundRollupReads = oncePerView((snapshot) =>
  readsOfRollups(snapshot, (filter) => filter?.isBound === true),
)

export function readsAny(reads: RollupReads, rollup: FieldId, changed: ReadonlySet<FieldId>): boolean {
  const read = reads.get(rollup)
  return read !== undefined && [...read].some((field) => changed.has(field))
}

function readsOfRollups(
  { view, names }: RecordSnapshot,
  isWanted: (filter: FieldProgram | null) => boolean,
): RollupReads {
  const found = new Map<FieldId, Set<FieldId>>()
  for (const { key: parent, body } of view.list('object'))
    for (const field of body.fields) {
      const { rollup } = field
      const programs = rollup === undefined ? null : objectPrograms(view, parent)
      const child = rollup === undefined ? null : objectPrograms(view, rollup.child)
      if (rollup === undefined || programs === null || child === null) continue
      const filter = programs.filter(field)
      if (!isWanted(filter)) continue
      const ids = names.fieldIds(rollup.child)
      const keys = [rollup.via, rollup.of, ...(filter === null ? [] : child.ownReads(filter))]
      const reads = keys.flatMap((name) => {
        const key = name === undefined ? undefined : child.field(name)?.key
        return (key === undefined ? undefined : ids.get(key)) ?? []
      })
      found.set(names.fieldIds(parent).get(field.key)!, new Set(reads))
    }
  return found
}
