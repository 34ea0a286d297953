// What a permission set names: an object or a field, by its key or a former name.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { objectFieldOf } from '#kernel/components/object/field-named.ts'
import { objectKeyOf } from '#kernel/components/object/object-named.ts'
import type { ComponentView } from '#kernel/components/view.ts'

export interface NamedTarget {
  object: ComponentOf<'object'>
  /** Its key; null for the object itself. */
  field: string | null
}

/** @param name `<object>` or `<object>.<field>` */
export function namedTarget(view: ComponentView, name: string): NamedTarget | null {
  const [objectName = '', fieldName] = name.split('.')
  const object = view.get('object', objectKeyOf(view, objectName) ?? objectName)
  if (object === undefined) return null
  if (fieldName === undefined) return { object, field: null }
  const field = objectFieldOf(object, fieldName)
  return field === undefined ? null : { object, field: field.key }
}

export const targetName = ({ object, field }: NamedTarget): string =>
  field === null ? object.key : `${object.key}.${field}`
