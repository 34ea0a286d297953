// Finds the members of an app: what it names, directly or indirectly; layouts of its objects; entries only for it.
import type { Component } from '#kernel/components/body-types.ts'
import { componentId, splitId, type ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { referencesOf } from '#kernel/graph/index.ts'

const membersByView = new WeakMap<ComponentView, Map<string, ReadonlySet<ComponentId>>>()

/** Returns a test for membership; `view` is that of a generation. An app that does not exist has no members. */
export function appMembership(view: ComponentView, app: string): (id: ComponentId) => boolean {
  const members = membersOf(view, app)
  return (id) => {
    const { type, key } = splitId(id)
    if (type !== 'config_entry') return members.has(id)
    const scope = view.get('config_entry', key)?.body.scope
    if (scope?.kind === 'app') return scope.app === app
    const set = key.slice(0, key.indexOf('.'))
    return members.has(componentId('config_set', set)) || members.has(componentId('feature_flag', set))
  }
}

/** Excludes entries, because there are many. */
function membersOf(view: ComponentView, app: string): ReadonlySet<ComponentId> {
  let byApp = membersByView.get(view)
  if (byApp === undefined) membersByView.set(view, (byApp = new Map()))
  const members = byApp.get(app) ?? collectMembers(view, app)
  byApp.set(app, members)
  return members
}

function collectMembers(view: ComponentView, app: string): Set<ComponentId> {
  const members = new Set<ComponentId>()
  if (!view.has('app', app)) return members
  const waiting: ComponentId[] = [componentId('app', app)]
  const follow = (): void => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const { type, key } = splitId(id)
      const component = members.has(id) ? undefined : (view.get(type, key) as Component | undefined)
      if (component === undefined) continue
      members.add(id)
      waiting.push(...referencesOf(component, view).map(({ to }) => to))
    }
  }
  follow()
  for (const type of ['layout', 'list_view', 'automation'] as const)
    for (const each of view.list(type))
      if (each.body.object !== undefined && members.has(componentId('object', each.body.object)))
        waiting.push(componentId(type, each.key))
  follow()
  return members
}
