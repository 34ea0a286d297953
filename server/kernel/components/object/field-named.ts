// Looks up fields of an object by key or alias; aliases keep resolving.
import type { ComponentOf } from '../body-types.ts'
import type { ObjectField } from './body.ts'

/** Returns a field of an object by its key or one of its aliases. */
export function objectFieldOf(object: ComponentOf<'object'>, name: string): ObjectField | undefined {
  return object.body.fields.find((field) => field.key === name || field.aliases.includes(name))
}

/** Returns the reference field with this key or alias. */
export function referenceNamed(
  object: ComponentOf<'object'> | undefined,
  name: string,
): ObjectField | undefined {
  const field = object === undefined ? undefined : objectFieldOf(object, name)
  return field?.type === 'reference' ? field : undefined
}
