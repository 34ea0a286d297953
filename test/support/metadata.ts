// Components for tests of engines, parsed and normalised as an apply would.
import type { Component, ComponentOf } from '#kernel/components/body-types.ts'
import type { ComponentType } from '#kernel/components/component.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import { parseComponent } from '#kernel/components/parse.ts'
import { roomOf } from '#kernel/components/registry.ts'

/** @throws Error with the findings if the body does not parse */
export function buildComponent<T extends ComponentType>(type: T, key: string, body: object): ComponentOf<T> {
  const { component, findings } = parseComponent({ type, key, label: key, body })
  if (component === null) throw new Error(JSON.stringify(findings, null, 2))
  return component as ComponentOf<T>
}

/** All of them, normalised together. */
export function normalised(components: readonly Component[]): Component[] {
  const view = new MemoryView(components)
  return components.map((component) => {
    const room = roomOf(component.type)
    return (room.normalise?.(component as never, view) ?? component) as Component
  })
}

export function entry(
  key: string,
  body: Partial<ComponentOf<'config_entry'>['body']> & { values: Record<string, string | boolean> },
): ComponentOf<'config_entry'> {
  return buildComponent('config_entry', key, { set: key.split('.')[0], scope: { kind: 'org' }, ...body })
}
