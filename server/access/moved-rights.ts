// Permission sets name objects and fields. A change list after which such a name means a different one gives the set rights
// that nobody has granted: to what was renamed to it, or has it as a former name.
import type { Change } from '#kernel/change/index.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import { objectFieldOf } from '#kernel/components/object/field-named.ts'
import { objectKeyOf } from '#kernel/components/object/object-named.ts'
import type { ComponentView } from '#kernel/components/view.ts'

type ObjectComponent = ComponentOf<'object'>

export interface MovedRight {
  /** Of the change that moves it. */
  id: ComponentId
  permissionSet: string
  /** As the permission set has it. */
  name: string
  /** What it means after the change: `<object>` or `<object>.<field>`. */
  target: string
}

/** Rights to objects and fields that existed before, which permission sets get because a name has moved. */
export function movedRights(
  changes: readonly Change[],
  base: ComponentView | null,
  candidate: ComponentView,
): MovedRight[] {
  const changed = changes.filter(({ id }) => id.startsWith('object/'))
  if (base === null || changed.length === 0) return []
  const formerKeys = formerKeysOf(changed)
  const priorOf = ({ key }: ObjectComponent): ObjectComponent | undefined =>
    base.get('object', formerKeys.get(key) ?? key)
  const moved: MovedRight[] = []
  for (const { key: permissionSet, body } of candidate.list('permission_set'))
    for (const name of [...Object.keys(body.objects), ...Object.keys(body.fields)]) {
      const after = targetOf(candidate, name)
      const prior = after === null ? undefined : priorOf(after.object)
      if (after === null || prior === undefined || !isMoved(after, prior, targetOf(base, name))) continue
      const { object, field } = after
      const id = changed.find((change) => change.id === `object/${object.key}`)?.id ?? changed[0]!.id
      const target = field === null ? object.key : `${object.key}.${field}`
      moved.push({ id, permissionSet, name, target })
    }
  return moved
}

/** By the new key of each renamed object. */
function formerKeysOf(changes: readonly Change[]): Map<string, string> {
  return new Map(
    changes.flatMap((change) => (change.kind === 'renamed' ? [[change.after.key, change.before.key]] : [])),
  )
}

interface Target {
  object: ObjectComponent
  /** Its key; null for the object itself. */
  field: string | null
}

function targetOf(view: ComponentView, name: string): Target | null {
  const [objectName = '', fieldName] = name.split('.')
  const object = view.get('object', objectKeyOf(view, objectName) ?? objectName)
  if (object === undefined) return null
  if (fieldName === undefined) return { object, field: null }
  const field = objectFieldOf(object, fieldName)
  return field === undefined ? null : { object, field: field.key }
}

/** @param prior the object as it was before */
function isMoved({ object, field }: Target, prior: ObjectComponent, before: Target | null): boolean {
  const isSameObject = before?.object.key === prior.key
  if (field === null) return !isSameObject
  const continued = continuedField(object, field, prior)
  return continued !== null && !(isSameObject && before.field === continued)
}

/** The key of the field that a field continues; null if it is a new one. */
function continuedField(object: ObjectComponent, key: string, prior: ObjectComponent): string | null {
  const earlier = new Set(prior.body.fields.map((field) => field.key))
  if (earlier.has(key)) return key
  const keys = new Set(object.body.fields.map((field) => field.key))
  const { aliases = [] } = object.body.fields.find((field) => field.key === key) ?? {}
  return aliases.find((alias) => earlier.has(alias) && !keys.has(alias)) ?? null
}
