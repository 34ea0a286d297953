// What is placed in sections must be known, and its inputs must be values of the element's attributes (specification 2.9).
import type { Finding } from '../errors/finding.ts'
import { didYouMean } from '../errors/suggest.ts'
import type { ComponentType } from './component.ts'
import { duplicateItems } from './duplicates.ts'
import type { FieldDescriptor } from './form.ts'
import type { PlacedItem, Section } from './placement.ts'
import { pointer } from './pointer.ts'
import { fault, oneOf } from './report.ts'

type Steps = readonly (string | number)[]
type InputType = 'string' | 'number' | 'boolean'

/** Elements that can be placed, with the attributes that take a value. The search function comes from the page. */
export const placeableElements: Readonly<Record<string, Readonly<Record<string, InputType>>>> = {
  lookup_field: {
    mode: 'string',
    matchFields: 'string',
    displayFields: 'string',
    minChars: 'number',
    searchDelay: 'number',
    value: 'string',
    display: 'string',
    href: 'string',
    label: 'string',
    placeholder: 'string',
    required: 'boolean',
    disabled: 'boolean',
    invalid: 'boolean',
    message: 'string',
    inline: 'boolean',
  },
  list_view: { listView: 'string', label: 'string' },
}

/** Properties of lookup_field that are functions or state, which a placement cannot carry. */
const notValues: Readonly<Record<string, string>> = {
  search: 'it is a function, which comes from the surrounding page',
  open: 'it is read-only state of the element',
}

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
    const reason = explainInput(item.key, attributes, name, value)
    return reason === null
      ? []
      : [fault(component, pointer(...place, 'inputs', name), 'placement.input', reason)]
  })
}

function explainInput(
  element: string,
  attributes: Readonly<Record<string, InputType>>,
  name: string,
  value: string | number | boolean,
): string | null {
  const why = element === 'lookup_field' && Object.hasOwn(notValues, name) ? notValues[name] : undefined
  if (why !== undefined) return `"${name}" cannot be an input of ${element}: ${why}. Remove it.`
  const wanted = Object.hasOwn(attributes, name) ? attributes[name] : undefined
  if (wanted === undefined)
    return `"${name}" is no input of ${element}.${didYouMean(name, Object.keys(attributes))}`
  if (typeof value === wanted) return null
  const words = { string: 'text in quotes', number: 'a number', boolean: 'true or false' }[wanted]
  return `The input "${name}" of ${element} is ${words}, not ${JSON.stringify(value)}.`
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
