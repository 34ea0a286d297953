// Rules for permission sets.
import type { Finding } from '../../errors/finding.ts'
import type { ComponentOf } from '../body-types.ts'
import type { Reference, Rule } from '../define.ts'
import { edge } from '../edges.ts'
import { membersExist } from '../members.ts'
import { pointer } from '../pointer.ts'
import { errorFinding, warningFinding } from '../report.ts'

/** Returns edges to the objects and fields on which rights are granted. */
export function permissionReferences({ body }: ComponentOf<'permission_set'>): Reference[] {
  return [
    ...Object.keys(body.objects).flatMap((object) => edge('object', object, ['objects', object])),
    ...Object.keys(body.fields).flatMap((path) => {
      const [object, field, ...rest] = path.split('.')
      return field === undefined || rest.length > 0 ? [] : edge('object', object, ['fields', path], field)
    }),
  ]
}

const fieldPaths: Rule<'permission_set'> = (set): Finding[] =>
  Object.keys(set.body.fields)
    .filter((path) => !/^[^.]+\.[^.]+$/.test(path))
    .map((path) => {
      const message = `"${path}" is not <object>.<field>. Write, for example, "invoice.amount".`
      return errorFinding(set, pointer('body', 'fields', path), 'permission.unknown_field', message)
    })

const editImpliesRead: Rule<'permission_set'> = (set): Finding[] => {
  const blindFields = Object.entries(set.body.fields)
    .filter(([, rights]) => rights.edit && !rights.read)
    .map(([path]) => ['fields', path] as const)
  const blindObjects = Object.entries(set.body.objects)
    .filter(
      ([, rights]) =>
        (rights.update || rights.delete) && !rights.read && !rights.viewAll && !rights.modifyAll,
    )
    .map(([object]) => ['objects', object] as const)
  return [...blindObjects, ...blindFields].map(([group, name]) => {
    const message = `${set.key} allows its holders to change ${name} but not to read it. Add "read" too, unless another permission set grants it.`
    return warningFinding(set, pointer('body', group, name), 'permission.edit_without_read', message)
  })
}

export const permissionSetRules: readonly Rule<'permission_set'>[] = [
  fieldPaths,
  membersExist(permissionReferences),
  editImpliesRead,
]
