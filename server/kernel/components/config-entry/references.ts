// Outgoing edges of an entry: its set or flag, the names in its scope, and the credentials that its values name.
import type { ComponentOf } from '../body-types.ts'
import { componentId, type ComponentId } from '../component.ts'
import type { Reference } from '../define.ts'
import { edge } from '../edges.ts'
import { pointer } from '../pointer.ts'
import { ownValue } from '../own-value.ts'
import type { ComponentView } from '../view.ts'

/** What an entry's `set` names: the flag where only a flag has the key, otherwise the configuration set. */
export function entryTarget(view: ComponentView, set: string): ComponentId {
  const isFlag = !view.has('config_set', set) && view.has('feature_flag', set)
  return componentId(isFlag ? 'feature_flag' : 'config_set', set)
}

/** Edges that need no other component. A flag's entry points to `config_set/<flag>` here; see `entryTarget`. */
export function entryReferences({ body }: ComponentOf<'config_entry'>): Reference[] {
  const { scope } = body
  return [
    ...edge('config_set', body.set, ['set']),
    ...(scope.kind === 'app' ? edge('app', scope.app, ['scope', 'app']) : []),
    ...(scope.kind === 'permission_set'
      ? edge('permission_set', scope.permissionSet, ['scope', 'permissionSet'])
      : []),
  ]
}

/**
 * Edges to the credentials that an entry's credential_reference values name. A name may be an external or a named
 * credential; with a view the one that exists is chosen, a named credential where both or none do.
 */
export function valueReferences(
  entry: ComponentOf<'config_entry'>,
  set: ComponentOf<'config_set'>,
  view?: ComponentView,
): Reference[] {
  return set.body.fields.flatMap((field) => {
    const value = field.type === 'credential_reference' ? ownValue(entry.body.values, field.key) : undefined
    if (typeof value !== 'string') return []
    const external =
      view !== undefined && !view.has('named_credential', value) && view.has('external_credential', value)
    const to = componentId(external ? 'external_credential' : 'named_credential', value)
    return [{ path: pointer('body', 'values', field.key), to }]
  })
}
