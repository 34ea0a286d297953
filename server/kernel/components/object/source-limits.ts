// What the source of a virtual object cannot do, for the rules of components that would need it.
import type { ComponentView } from '../view.ts'

export function isVirtualObject(view: ComponentView, object: string): boolean {
  return view.get('object', object)?.body.storage === 'external'
}

/** Why rows of the object cannot be filtered or searched; null if they can, or if the object is local. */
export function filterRefusal(view: ComponentView, object: string): string | null {
  const body = view.get('object', object)?.body
  const source = body?.storage === 'external' ? view.get('external_data_source', body.dataSource) : undefined
  if (source === undefined || source.body.pushdown.filter) return null
  return `${object} is virtual, and its source ${source.key} cannot filter: "pushdown.filter" is false.`
}

/** Why no request can add rows of the object; null if one can, or if the object is local. */
export function writeRefusal(view: ComponentView, object: string): string | null {
  const body = view.get('object', object)?.body
  if (body?.storage !== 'external' || body.writable === true) return null
  return `${object} is virtual, and "writable" is not true, so no row can be added.`
}
