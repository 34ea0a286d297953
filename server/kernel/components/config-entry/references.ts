// Outgoing edges of an entry: its set or flag, the names in its scope, and the credentials that its values name.
import type { ComponentOf } from '../body-types.ts'
import { componentId, type ComponentId } from '../component.ts'
import type { Reference } from '../define.ts'
import { edge } from '../edges.ts'
import { pointer } from '../pointer.ts'
import { ownValue } from '../own-value.ts'
import type { ComponentView } from '../view.ts'

/** Returns the target of an entry's `set`: the flag if only a flag has the key, otherwise the configuration set. */
export function entryTarget(view: ComponentView, set: string): ComponentId {
  const isFlag = !view.has('config_set', set) && view.has('feature_flag', set)
  return componentId(isFlag ? 'feature_flag' : 'config_set', set)
}

/** Returns the edges that need no other component. An entry of a flag points to `config_set/<flag>` here; see `entryTarget`. */
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
 * Returns the edges to the credentials in an entry's credential_reference values. A name can be an external or a named
 * credential. With a view, it is the one that exists; if both or neither exist, the named credential.
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
