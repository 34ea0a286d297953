// Checks a requested member: a field of a set or object, or a value of a value set.
import { splitId, type ComponentId, type ComponentType } from '../components/component.ts'
import { serviceTypesOf } from '../components/external-service/find-operation.ts'
import { valuesByKey } from '../components/value-set/members.ts'
import type { ComponentView } from '../components/view.ts'
import { AlmanacError } from '../errors/almanac-error.ts'
import { didYouMean } from '../errors/suggest.ts'

interface Members {
  kind: 'field' | 'value' | 'operation'
  names: (view: ComponentView, key: string) => string[]
}

const membersOf: Partial<Record<ComponentType, Members>> = {
  config_set: {
    kind: 'field',
    names: (view, key) => (view.get('config_set', key)?.body.fields ?? []).map((field) => field.key),
  },
  object: {
    kind: 'field',
    names: (view, key) =>
      (view.get('object', key)?.body.fields ?? []).flatMap((field) => [field.key, ...field.aliases]),
  },
  external_service: {
    kind: 'operation',
    names: (view, key) => (serviceTypesOf(view, key)?.operations ?? []).map(({ name }) => name),
  },
  value_set: {
    kind: 'value',
    names: (view, key) => {
      const set = view.get('value_set', key)
      return set === undefined ? [] : [...valuesByKey(set).keys()]
    },
  },
}

/**
 * @param view What the caller is allowed to see.
 * @throws AlmanacError request.invalid if the component does not have the member.
 */
export function requireMember(view: ComponentView, id: ComponentId, member: string): void {
  const { type, key } = splitId(id)
  const members = membersOf[type]
  if (members === undefined)
    throw new AlmanacError(
      'request.invalid',
      `${id} has no members. Only configuration sets, objects, value sets and external services have members: remove the member.`,
    )
  const names = members.names(view, key)
  if (names.includes(member)) return
  throw new AlmanacError(
    'request.invalid',
    `${key} has no ${members.kind} "${member}".${didYouMean(member, names)}`,
  )
}
