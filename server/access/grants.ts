// Grants are stored in the component that they give access to: a set, a flag, a credential's principal, an
// invocable automation, a channel.
import { splitOperation } from '#kernel/components/external-service/find-operation.ts'
import { canonicalJson, type JsonValue } from '#kernel/change/canonical.ts'
import type { Component, ComponentOf } from '#kernel/components/body-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'

export interface SetGrants {
  read: Set<string>
  edit: Set<string>
}

const indexes = new WeakMap<ComponentView, ReadonlyMap<string, SetGrants>>()

/** By permission set: the sets and flags that it opens. Computed once per view. */
export function grantIndexOf(view: ComponentView): ReadonlyMap<string, SetGrants> {
  const known = indexes.get(view)
  if (known !== undefined) return known
  const index = new Map<string, SetGrants>()
  const of = (permissionSet: string): SetGrants => {
    const grants = index.get(permissionSet) ?? { read: new Set(), edit: new Set() }
    index.set(permissionSet, grants)
    return grants
  }
  for (const type of ['config_set', 'feature_flag'] as const)
    for (const { key, body } of view.list(type)) {
      for (const permissionSet of Object.keys(body.read)) of(permissionSet).read.add(key)
      for (const permissionSet of Object.keys(body.edit)) of(permissionSet).edit.add(key)
    }
  indexes.set(view, index)
  return index
}

/** A set or a flag by its key; they share one key space. */
export function setOrFlag(
  view: ComponentView,
  key: string,
): ComponentOf<'config_set'> | ComponentOf<'feature_flag'> | undefined {
  return view.get('config_set', key) ?? view.get('feature_flag', key)
}

/** The permission sets among `held` that grant the right on a set or flag. */
export function grantingSets(
  view: ComponentView,
  set: string,
  right: 'read' | 'edit',
  held: readonly string[],
): string[] {
  const grants = setOrFlag(view, set)?.body[right] ?? {}
  return held.filter((permissionSet) => Object.hasOwn(grants, permissionSet))
}

/**
 * Whether one of the held permission sets grants calls of an operation: of an invocable automation, or of an external
 * service as `<service>.<operation>`.
 */
export function grantsCalls(view: ComponentView, operation: string, held: readonly string[]): boolean {
  const { service, name } = splitOperation(operation)
  const holder =
    name === undefined ? view.get('automation', operation) : view.get('external_service', service)
  const granted = holder?.body.grantedTo ?? []
  return granted.some((permissionSet) => held.includes(permissionSet))
}

/** Whether one of the held permission sets grants the right on a channel. */
export function grantsChannel(
  view: ComponentView,
  channel: string,
  right: 'read' | 'publish',
  held: readonly string[],
): boolean {
  const granted: object = view.get('event_channel', channel)?.body[right] ?? {}
  return held.some((permissionSet) => Object.hasOwn(granted, permissionSet))
}

/** Every grant on a component as a text, as in `edit:tax_editors`; empty for types without grants. */
export function grantsOf(component: Component | undefined): string[] {
  switch (component?.type) {
    case 'config_set':
    case 'feature_flag':
      return (['read', 'edit'] as const).flatMap((right) =>
        Object.keys(component.body[right]).map((permissionSet) => `${right}:${permissionSet}`),
      )
    case 'event_channel':
      return (['read', 'publish'] as const).flatMap((right) =>
        Object.keys(component.body[right]).map((permissionSet) => `${right}:${permissionSet}`),
      )
    case 'external_credential':
      return component.body.principals.flatMap(({ key, grantedTo }) =>
        grantedTo.map((permissionSet) => `principal ${key}:${permissionSet}`),
      )
    case 'automation':
    case 'external_service':
      return (component.body.grantedTo ?? []).map((permissionSet) => `call:${permissionSet}`)
    default:
      return []
  }
}

/** Whether two versions of a component differ in anything but their grants. */
export function differsBesideGrants(before: Component, after: Component): boolean {
  return canonicalJson(withoutGrants(before)) !== canonicalJson(withoutGrants(after))
}

function withoutGrants(component: Component): JsonValue {
  const body: Record<string, unknown> = { ...component.body }
  if (component.type === 'external_credential')
    body.principals = component.body.principals.map(({ grantedTo: _grantedTo, ...principal }) => principal)
  else if (component.type === 'automation' || component.type === 'external_service') delete body.grantedTo
  else if (component.type === 'config_set' || component.type === 'feature_flag') {
    delete body.read
    delete body.edit
  } else if (component.type === 'event_channel') {
    delete body.read
    delete body.publish
  }
  return JSON.parse(JSON.stringify({ ...component, body })) as JsonValue
}
