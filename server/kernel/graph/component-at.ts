// A component by its id.
import type { Component } from '../components/body-types.ts'
import { splitId, type ComponentId } from '../components/component.ts'
import type { ComponentView } from '../components/view.ts'

export function componentAt(view: ComponentView, id: ComponentId): Component | undefined {
  const { type, key } = splitId(id)
  return view.get(type, key) as Component | undefined
}
