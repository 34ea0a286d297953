// What is placed in sections must be known, and its inputs must be values of the element's attributes (specification 2.9).
import type { Finding } from '../errors/finding.ts'
import { didYouMean } from '../errors/suggest.ts'
import type { ComponentType } from './component.ts'
import { duplicateItems } from './duplicates.ts'
import type { FieldDescriptor } from './form.ts'
import { attributeOf, explainNoValue, placeableElements, type ElementInput } from './placeable-elements.ts'
import type { PlacedItem, Section } from './placement.ts'
import { pointer } from './pointer.ts'
import { fault, oneOf, warning } from './report.ts'

type Steps = readonly (string | number)[]

/** Findings on the sections at `steps` below the envelope. `object` is whose fields may be placed; undefined for none. */
export function placementFindings(
  component: { type: ComponentType; key: string },
  sections: readonly Section[],
  steps: Steps,
  object: string | undefined,
): Finding[] {
  const ids = sections.flatMap((section, at) =>
    section.items.map((item, index) => ({ item, place: [...steps, at, 'items', index] })),
  )
  return [
    ...duplicateItems(component, steps, sections, 'id'),
    ...sections.flatMap((section, at) =>
      duplicateItems(component, [...steps, at, 'items'], section.items, 'id'),
    ),
    ...ids.flatMap(({ item, place }) => itemFindings(component, item, place, object)),
  ]
}

function itemFindings(
  component: { type: ComponentType; key: string },
  item: PlacedItem,
  place: Steps,
  object: string | undefined,
): Finding[] {
  if (item.type === 'field') {
    if (object !== undefined) return []
    const message = `The field "${item.key}" is placed outside of a record page, where there is no record. Place it in a layout of its object.`
    return [fault(component, pointer(...place), 'placement.element', message)]
  }
  const attributes = Object.hasOwn(placeableElements, item.key) ? placeableElements[item.key] : undefined
  if (attributes === undefined) {
    const known = Object.keys(placeableElements)
    const message = `There is no element "${item.key}".${didYouMean(item.key, known) || ` Place ${oneOf(known)}.`}`
    return [fault(component, pointer(...place, 'key'), 'placement.element', message)]
  }
  return Object.entries(item.inputs).flatMap(([name, value]) => {
    const at = pointer(...place, 'inputs', name)
    const reason = explainInput(item.key, attributes, name, value)
    if (reason !== null) return [fault(component, at, 'placement.input', reason)]
    const doubt = doubtInput(attributes[name]!, name, value)
    return doubt === null ? [] : [warning(component, at, 'placement.input', doubt)]
  })
}

/** What a value of an input is. */
export const inputWords = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
} as const satisfies Record<ElementInput['type'], string>

function explainInput(
  element: string,
  attributes: Readonly<Record<string, ElementInput>>,
  name: string,
  value: string | number | boolean,
): string | null {
  const why = explainNoValue(element, name)
  if (why !== null) return `"${name}" cannot be an input of ${element}: ${why}. Remove it.`
  const wanted = Object.hasOwn(attributes, name) ? attributes[name]!.type : undefined
  if (wanted === undefined) {
    const known = Object.keys(attributes)
    const written = known.find((each) => attributeOf(each) === name)
    const near = written === undefined ? didYouMean(name, known) : ` Here it is written "${written}".`
    return `"${name}" is no input of ${element}.${near || ` It has ${oneOf(known)}.`}`
  }
  if (typeof value !== wanted) {
    return `The input "${name}" of ${element} is ${inputWords[wanted]}, not ${JSON.stringify(value)}.`
  }
  if (typeof value === 'number' && (value < 0 || !Number.isInteger(value)))
    return `The input "${name}" of ${element} is a whole number of at least 0, not ${value}.`
  return null
}

/** What is let through, and does something else than it says. */
function doubtInput(
  { choices, byDefault }: ElementInput,
  name: string,
  value: string | number | boolean,
): string | null {
  if (choices === undefined || choices.includes(String(value))) return null
  const near = didYouMean(String(value), choices)
  return `"${name}" is "${String(value)}", which counts as ${byDefault ?? 'none'}.${near || ` Write ${oneOf(choices)}.`}`
}

/** The form of sections, wherever they stand. */
export const sectionColumns: readonly FieldDescriptor[] = [
  {
    path: 'id',
    label: 'Id',
    help: 'Tells the section apart from its neighbours.',
    widget: 'text',
    required: true,
  },
  {
    path: 'section',
    label: 'Title',
    help: 'Drawn above the section; empty for none.',
    widget: 'text',
    required: true,
  },
  {
    path: 'columns',
    label: 'Columns',
    help: 'How many columns its items flow into, 1 to 4.',
    widget: 'number',
  },
  {
    path: 'items',
    label: 'Items',
    help: 'What is placed in the section, in this order.',
    widget: 'grid',
    fields: [
      {
        path: 'id',
        label: 'Id',
        help: 'Tells the item apart from its neighbours.',
        widget: 'text',
        required: true,
      },
      {
        path: 'type',
        label: 'Kind',
        help: 'A field of the record, or an element.',
        widget: 'select',
        required: true,
        options: [
          { value: 'field', label: 'Field' },
          { value: 'component', label: 'Element' },
        ],
      },
      {
        path: 'key',
        label: 'Field or element',
        help: 'The field’s key; or lookup_field, or list_view.',
        widget: 'text',
        required: true,
      },
      {
        path: 'inputs',
        label: 'Inputs',
        help: 'Values of the element’s attributes. Functions come from the page.',
        widget: 'json',
      },
    ],
  },
]
