// Permission sets name objects and fields. A change list after which such a name means a different one gives the set rights
// that nobody has granted: to what was renamed to it, or has it as a former name.
import type { Change } from '#kernel/change/index.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { predecessor } from '#kernel/records/index.ts'
import { namedTarget, targetName, type NamedTarget } from './named-target.ts'

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
      const after = namedTarget(candidate, name)
      const prior = after === null ? undefined : priorOf(after.object)
      if (after === null || prior === undefined || !isMoved(after, prior, namedTarget(base, name))) continue
      const { id } = changed.find((change) => change.id === `object/${after.object.key}`) ?? changed[0]!
      moved.push({ id, permissionSet, name, target: targetName(after) })
    }
  return moved
}

/** By the new key of each renamed object. */
function formerKeysOf(changes: readonly Change[]): Map<string, string> {
  return new Map(
    changes.flatMap((change) => (change.kind === 'renamed' ? [[change.after.key, change.before.key]] : [])),
  )
}

/** @param prior the object as it was before */
function isMoved(
  { object, field }: NamedTarget,
  prior: ObjectComponent,
  before: NamedTarget | null,
): boolean {
  const isSameObject = before?.object.key === prior.key
  if (field === null) return !isSameObject
  const continued = continuedField(object, field, prior)
  return continued !== null && !(isSameObject && before.field === continued)
}

/** The key of the field that a field continues; null if it is a new one. */
function continuedField({ body }: ObjectComponent, key: string, prior: ObjectComponent): string | null {
  const earlier = new Map(prior.body.fields.map((field) => [field.key, field]))
  const keys = new Set(body.fields.map((field) => field.key))
  const field = body.fields.find((each) => each.key === key)!
  return predecessor(field, earlier, keys)?.key ?? null
}
