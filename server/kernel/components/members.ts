// Looks up fields of objects and sets by key or alias, and suggests a name if one does not exist.
import type { Finding } from '../errors/finding.ts'
import { didYouMean } from '../errors/suggest.ts'
import type { ComponentOf } from './body-types.ts'
import { splitId, type ComponentType } from './component.ts'
import type { Reference, Rule } from './define.ts'
import { serviceTypesOf } from './external-service/find-operation.ts'
import type { ObjectField } from './object/body.ts'
import { objectFieldOf } from './object/field-named.ts'
import { isVirtualObject } from './object/source-limits.ts'
import { pointer } from './pointer.ts'
import { errorFinding } from './report.ts'
import type { ComponentView } from './view.ts'

/** A rule for rooms whose references name fields: each field must exist if its object or set does. */
export function membersExist<T extends ComponentType>(
  references: (component: ComponentOf<T>, view: ComponentView) => Reference[],
): Rule<T> {
  return function fieldsExist(component, { view }) {
    return references(component, view).flatMap((reference) => unknownMember(component, reference, view))
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
  const { type, key } = splitId(reference.to)
  const kind = type === 'external_service' ? 'operation' : 'field'
  const message = `${key} has no ${kind} "${reference.member}".${didYouMean(reference.member, known)}`
  return [errorFinding(component, reference.path, 'reference.unknown_field', message)]
}

/** A path of fields from an object, as in `customer.name`, and its place below the envelope. */
export interface FieldPath {
  object: string
  path: string
  steps: readonly (string | number)[]
}

/**
 * A rule for rooms that name fields through references: each step of a path must be a field of the object that the
 * previous step refers to. `membersExist` checks the first step.
 */
export function fieldPathsResolve<T extends ComponentType>(
  paths: (component: ComponentOf<T>, view: ComponentView) => readonly FieldPath[],
): Rule<T> {
  return function everyStepExists(component, { view }) {
    return paths(component, view).flatMap((path) => stepFindings(component, path, view))
  }
}

/** A field of an object, as a path names it. */
interface Step {
  key: string
  field: ObjectField
}

function stepFindings(
  component: { type: ComponentType; key: string },
  { object: first, path, steps }: FieldPath,
  view: ComponentView,
): Finding[] {
  const say = (message: string): Finding[] => [
    errorFinding(component, pointer(...steps), 'reference.unknown_field', `"${path}": ${message}`),
  ]
  let object = view.get('object', first)
  let before: Step | null = null
  let isFollowed = false
  for (const name of path.split('.')) {
    if (before !== null) {
      const { key, field }: Step = before
      if (field.type !== 'reference')
        return say(
          `${field.key} of ${key} is of type ${field.type}, so "${name}" cannot follow it. Only references can be followed.`,
        )
      if (isFollowed && isVirtualObject(view, key))
        return say(
          `${key} is virtual, so a path cannot lead through it. Show ${field.key} of ${key} itself, or a field of a stored object.`,
        )
      isFollowed = true
      object = field.references === undefined ? undefined : view.get('object', field.references)
    }
    // If the object does not exist, the finding is on the field that names it.
    if (object === undefined) return []
    const field: ObjectField | undefined = objectFieldOf(object, name)
    if (field === undefined) {
      if (before === null) return []
      const known = object.body.fields.map(({ key }) => key)
      const through = `${object.key}, which ${before.field.key} of ${before.key} refers to,`
      return say(`${through} has no field "${name}".${didYouMean(name, known)}`)
    }
    before = { key: object.key, field }
  }
  return []
}

/** Null if the target does not exist, which a different finding reports, or has no fields. */
function memberNames(reference: Reference, view: ComponentView): string[] | null {
  const { type, key } = splitId(reference.to)
  if (type === 'object') {
    const object = view.get('object', key)
    return object?.body.fields.flatMap((field) => [field.key, ...field.aliases]) ?? null
  }
  if (type === 'external_service')
    return serviceTypesOf(view, key)?.operations.map(({ name }) => name) ?? null
  if (type === 'config_set') return view.get('config_set', key)?.body.fields.map((field) => field.key) ?? null
  return null
}
