// The lists of fields in the inputs of a placed lookup field, and the object whose fields they name.
import { referenceNamed } from './object/field-named.ts'
import type { PlacedItem } from './placement.ts'
import type { ComponentView } from './view.ts'

/** Inputs with names of fields, separated by commas. */
export const lookupLists = ['matchFields', 'displayFields'] as const
export type LookupList = (typeof lookupLists)[number]

/** The names in a list; none if it is not text. */
export function namesIn({ inputs }: PlacedItem, list: LookupList): string[] {
  const text = inputs[list]
  if (typeof text !== 'string') return []
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/**
 * The key of the object whose records a lookup field finds; undefined if it does not show.
 * @param object of the record of the page; undefined without one
 */
export function lookupTarget(
  { id, inputs: { field, object: found } }: PlacedItem,
  object: string | undefined,
  view: ComponentView,
): string | undefined {
  if (typeof found === 'string') return view.has('object', found) ? found : undefined
  if (object === undefined) return undefined
  return referenceNamed(view.get('object', object), typeof field === 'string' ? field : id)?.references
}
