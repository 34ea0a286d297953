// Builds the outgoing edges of a body.
import { componentId, type ComponentType } from './component.ts'
import type { Reference } from './define.ts'
import { pointer } from './pointer.ts'
import { lookupLists, lookupTarget, namesIn } from './lookup-lists.ts'
import { referenceNamed } from './object/field-named.ts'
import type { PlacedItem, Section } from './placement.ts'
import type { ComponentView } from './view.ts'

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

/** Returns the edges of grants: the permission sets that are the keys of each map. */
export function grantEdges(body: { read: object; edit?: object; publish?: object }): Reference[] {
  return (['read', 'edit', 'publish'] as const).flatMap((right) =>
    Object.keys(body[right] ?? {}).flatMap((set) => edge('permission_set', set, [right, set])),
  )
}

/** Returns the edge of the first step of a dotted path of fields; further steps need the whole generation. */
export function fieldPathEdge(object: string | undefined, path: string, steps: Steps): Reference[] {
  return edge('object', object, steps, path.split('.')[0])
}

/**
 * Returns the edges of placed items in sections: fields of `object`, list views, and the references that lists follow.
 * @param view finds the object of a list view, and the reference that the id of a lookup field names
 */
export function placementEdges(
  sections: readonly Section[],
  object: string | undefined,
  steps: Steps,
  view: ComponentView | undefined,
): Reference[] {
  return sections.flatMap((section, at) =>
    section.items.flatMap((item, index) => itemEdges(item, object, [...steps, at, 'items', index], view)),
  )
}

function itemEdges(
  item: PlacedItem,
  object: string | undefined,
  place: Steps,
  view: ComponentView | undefined,
): Reference[] {
  if (item.type === 'field')
    return object === undefined ? [] : fieldPathEdge(object, item.key, [...place, 'key'])
  const { listView, via } = item.inputs
  if (item.key === 'lookup_field')
    return [...sourceEdges(item, object, place, view), ...lookupListEdges(item, object, place, view)]
  if (item.key !== 'list_view' || typeof listView !== 'string') return []
  const listed = view?.get('list_view', listView)?.body.object
  return [
    ...edge('list_view', listView, [...place, 'inputs', 'listView']),
    ...(typeof via === 'string' ? edge('object', listed, [...place, 'inputs', 'via'], via) : []),
  ]
}

/** What a lookup field finds its records by: the object, or a field of the record. */
function sourceEdges(
  { id, inputs: { field, object: found } }: PlacedItem,
  object: string | undefined,
  place: Steps,
  view: ComponentView | undefined,
): Reference[] {
  if (typeof found === 'string') return edge('object', found, [...place, 'inputs', 'object'])
  if (object === undefined) return []
  if (typeof field === 'string') return edge('object', object, [...place, 'inputs', 'field'], field)
  return referenceNamed(view?.get('object', object), id) === undefined
    ? []
    : edge('object', object, [...place, 'id'], id)
}

/** The fields of the found object that a lookup field matches and shows. */
function lookupListEdges(
  item: PlacedItem,
  object: string | undefined,
  place: Steps,
  view: ComponentView | undefined,
): Reference[] {
  const found = view === undefined ? undefined : lookupTarget(item, object, view)
  return lookupLists.flatMap((input) =>
    namesIn(item, input).flatMap((name) => fieldPathEdge(found, name, [...place, 'inputs', input])),
  )
}
