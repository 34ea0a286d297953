// A change list as a generation in which records can be computed, before it is applied.
import { afterOf, OverlayView, type Change } from '#kernel/change/index.ts'
import { splitId, type ComponentType } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { lazySnapshot } from '#kernel/config/index.ts'
import {
  earlierFields,
  nextFieldIds,
  type FieldId,
  type FieldShape,
  type ObjectId,
  type RecordNames,
  type RecordSnapshot,
} from '#kernel/records/index.ts'

/** The active generation with the changes that the audience can see. Its bindings have no digests: use it for values. */
export function candidateSnapshot(present: RecordSnapshot, changes: readonly Change[]): RecordSnapshot {
  const view = new OverlayView(present.view)
  for (const change of changes) {
    const before = change.kind === 'renamed' ? change.from : change.id
    if (change.kind === 'removed' || change.kind === 'renamed') {
      const { type, key } = splitId(before)
      view.remove(type, key)
    }
  }
  for (const change of changes) {
    const after = afterOf(change)
    if (after !== null) view.put(after)
  }
  return {
    ...lazySnapshot(view, present.generation),
    names: namesAfter(present, view, changes),
  }
}

function namesAfter(
  { names, view: before }: RecordSnapshot,
  view: ComponentView,
  changes: readonly Change[],
): RecordNames {
  const renamedTo = renamesOf('object', changes)
  const renamedFrom = new Map([...renamedTo].map(([from, to]) => [to, from]))
  const apps = renamesOf('app', changes)
  const keyBefore = (object: string): string | undefined =>
    renamedFrom.get(object) ?? (renamedTo.has(object) ? undefined : object)
  const objectIds = new Map<string, ObjectId | undefined>()
  const objectId = (object: string): ObjectId | undefined => {
    if (!objectIds.has(object)) {
      const key = view.has('object', object) ? keyBefore(object) : undefined
      objectIds.set(object, key === undefined ? undefined : names.objectId(key))
    }
    return objectIds.get(object)
  }
  let created = 0
  const newId = (): FieldId => (created -= 1) as FieldId
  const known = new Map<string, ReadonlyMap<string, FieldId>>()
  const idsAfter = (object: string): ReadonlyMap<string, FieldId> => {
    const [key, after] = [keyBefore(object), view.get('object', object)?.body]
    const earlier = key === undefined ? undefined : before.get('object', key)?.body
    if (after?.storage !== 'local') return new Map()
    const fields =
      key === undefined || earlier?.storage !== 'local'
        ? []
        : earlierFields(earlier.fields, names.fieldIds(key), targetBy(names.objectId))
    return nextFieldIds(fields, after.fields, targetBy(objectId), newId)
  }
  return {
    objectId,
    objectKey: (id) => {
      const key = names.objectKey(id)
      const now = key === undefined ? undefined : (renamedTo.get(key) ?? key)
      return now !== undefined && objectId(now) === id ? now : undefined
    },
    fieldIds: (object) => {
      let ids = known.get(object)
      if (ids === undefined) known.set(object, (ids = idsAfter(object)))
      return ids
    },
    // No event is published over a candidate.
    channelId: names.channelId,
    appKey: (app, earlier) => {
      const key = names.appKey(app, earlier)
      const now = key === undefined ? undefined : (apps.get(key) ?? key)
      return now !== undefined && view.has('app', now) ? now : undefined
    },
  }
}

/** The new key of each component of a type that is renamed. */
function renamesOf(type: ComponentType, changes: readonly Change[]): Map<string, string> {
  return new Map(
    changes.flatMap((change): [from: string, to: string][] => {
      if (change.kind !== 'renamed') return []
      const [from, to] = [splitId(change.from), splitId(change.id)]
      return to.type === type ? [[from.key, to.key]] : []
    }),
  )
}

/** The object to which a field refers; null for a field of any other type. */
const targetBy =
  (idOf: RecordNames['objectId']) =>
  ({ references }: FieldShape): ObjectId | null =>
    references === undefined ? null : (idOf(references) ?? null)
