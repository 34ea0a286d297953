// Warns of a new field that no permission set lets its holders read, although they can read the records.
import type { ComponentOf } from '../body-types.ts'
import type { Rule } from '../define.ts'
import { pointer } from '../pointer.ts'
import { joinWithOr, warningFinding } from '../report.ts'
import type { ComponentView } from '../view.ts'
import type { ObjectField } from './body.ts'
import { objectFieldOf } from './field-named.ts'
import { objectKeyOf } from './object-named.ts'

/** Permission sets that a finding names. */
const mostNamed = 5

export const newFieldsAreReadable: Rule<'object'> = (object, { view, base }) => {
  const keysBefore = new Set(base?.get('object', object.key)?.body.fields.map(({ key }) => key))
  const isNew = (name: string): boolean => !keysBefore.has(name)
  const added = object.body.fields.filter(({ key, aliases }) => [key, ...aliases].every(isNew))
  if (added.length === 0) return []
  const readers = readersOf(view, object.key)
  // Without them, the object itself is not granted yet.
  if (readers.length === 0) return []
  const granted = grantedFields(view, object)
  return added.flatMap((field) =>
    granted.has(field.key)
      ? []
      : [
          warningFinding(
            object,
            pointer('body', 'fields', object.body.fields.indexOf(field)),
            'permission.field_not_granted',
            messageOf(object.key, field, readers),
            { facts: { object: object.key, field: field.key, permissionSets: readers.length } },
          ),
        ],
  )
}

function messageOf(object: string, { key, label = key }: ObjectField, readers: readonly string[]): string {
  const rest = readers.length - mostNamed
  const sets = rest > 0 ? `${readers.slice(0, mostNamed).join(', ')} or ${rest} more` : joinWithOr(readers)
  return (
    `No permission set grants reading ${label} of ${object}, so only users with platform.root can read it. ` +
    `Grant "${object}.${key}" in ${sets}.`
  )
}

const isNamed = (view: ComponentView, object: string, name: string | undefined): boolean =>
  name !== undefined && objectKeyOf(view, name) === object

/** The permission sets that grant reading an object, ascending. */
function readersOf(view: ComponentView, object: string): string[] {
  const sets = [...view.list('permission_set')].filter(({ body }) =>
    Object.entries(body.objects).some(([name, { read }]) => read && isNamed(view, object, name)),
  )
  return sets.map(({ key }) => key).toSorted()
}

/** The fields that a permission set grants. Users can hold one for the object, and a different one for the field. */
function grantedFields(view: ComponentView, object: ComponentOf<'object'>): Set<string | undefined> {
  const paths = [...view.list('permission_set')].flatMap(({ body }) =>
    Object.entries(body.fields).flatMap(([path, { read, edit }]) => (read || edit ? [path.split('.')] : [])),
  )
  return new Set(
    paths.flatMap(([name, field = '']) =>
      isNamed(view, object.key, name) ? [objectFieldOf(object, field)?.key] : [],
    ),
  )
}
