// Builds the outgoing edges of a body.
import { componentId, type ComponentType } from './component.ts'
import type { Reference } from './define.ts'
import { pointer } from './pointer.ts'
import type { Section } from './placement.ts'

type Steps = readonly (string | number)[]

/** Returns an edge from a place in the body; none if the place is empty. */
export function edge(
  type: ComponentType,
  key: string | undefined,
  steps: Steps,
  member?: string,
): Reference[] {
  if (key === undefined) return []
  const reference: Reference = { path: pointer('body', ...steps), to: componentId(type, key) }
  return [member === undefined ? reference : { ...reference, member }]
}

/** Returns the edges of per-set grants: the permission sets that are the keys of the map. */
export function grantEdges(body: { read: object; edit: object }): Reference[] {
  return (['read', 'edit'] as const).flatMap((right) =>
    Object.keys(body[right]).flatMap((set) => edge('permission_set', set, [right, set])),
  )
}

/** Returns the edge of the first step of a dotted path of fields; further steps need the whole generation. */
export function fieldPathEdge(object: string | undefined, path: string, steps: Steps): Reference[] {
  return edge('object', object, steps, path.split('.')[0])
}

/** Returns the edges of placed items in sections: fields of `object`, and list views. */
export function placementEdges(
  sections: readonly Section[],
  object: string | undefined,
  steps: Steps,
): Reference[] {
  return sections.flatMap((section, at) =>
    section.items.flatMap((item, index) => {
      const place = [...steps, at, 'items', index]
      if (item.type === 'field')
        return object === undefined ? [] : fieldPathEdge(object, item.key, [...place, 'key'])
      const listView = item.key === 'list_view' ? item.inputs.listView : undefined
      return typeof listView === 'string' ? edge('list_view', listView, [...place, 'inputs', 'listView']) : []
    }),
  )
}
