// Fields of objects and sets as others name them: found by key or alias, refused with a suggestion (specification 7).
import type { Finding } from '../errors/finding.ts'
import { didYouMean } from '../errors/suggest.ts'
import type { ComponentOf } from './body-types.ts'
import { splitId, type ComponentType } from './component.ts'
import type { Reference, Rule } from './define.ts'
import type { ObjectField } from './object/body.ts'
import { fault } from './report.ts'
import type { ComponentView } from './view.ts'

/** A field of an object by its key or one of its aliases (specification 9.4: aliases keep resolving). */
export function objectFieldOf(object: ComponentOf<'object'>, name: string): ObjectField | undefined {
  return object.body.fields.find((field) => field.key === name || field.aliases.includes(name))
}

/** A rule for rooms whose references name fields: each must exist where its object or set does. */
export function membersExist<T extends ComponentType>(
  references: (component: ComponentOf<T>) => Reference[],
): Rule<T> {
  return function fieldsExist(component, { view }) {
    return references(component).flatMap((reference) => unknownMember(component, reference, view))
  }
}

function unknownMember(
  component: { type: ComponentType; key: string },
  reference: Reference,
  view: ComponentView,
): Finding[] {
  if (reference.member === undefined) return []
  const known = memberNames(reference, view)
  if (known === null || known.includes(reference.member)) return []
  const { key } = splitId(reference.to)
  const message = `${key} has no field "${reference.member}".${didYouMean(reference.member, known)}`
  return [fault(component, reference.path, 'reference.unknown_field', message)]
}

/** Null where the target does not exist (which another finding says) or has no fields. */
function memberNames(reference: Reference, view: ComponentView): string[] | null {
  const { type, key } = splitId(reference.to)
  if (type === 'object') {
    const object = view.get('object', key)
    return object?.body.fields.flatMap((field) => [field.key, ...field.aliases]) ?? null
  }
  if (type === 'config_set') return view.get('config_set', key)?.body.fields.map((field) => field.key) ?? null
  return null
}
