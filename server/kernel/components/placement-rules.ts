// Checks that placed elements and fields exist, and that inputs are values of the element's attributes
// (docs/reference/lookup-field.md).
import type { Finding } from '../errors/finding.ts'
import { didYouMean } from '../errors/suggest.ts'
import type { ComponentType } from './component.ts'
import { duplicateItemFindings } from './duplicates.ts'
import type { FieldDescriptor } from './form.ts'
import { attributeOf, explainNonInput, placeableElements, type ElementInput } from './placeable-elements.ts'
import type { PlacedItem, PlacedOn, Section } from './placement.ts'
import { pointer } from './pointer.ts'
import { errorFinding, joinWithOr, warningFinding } from './report.ts'

type Steps = readonly (string | number)[]

/** Returns findings on the sections at `steps` below the envelope, as far as the component alone shows them. */
export function placementFindings(
  component: { type: ComponentType; key: string },
  sections: readonly Section[],
  steps: Steps,
  on: PlacedOn,
): Finding[] {
  const ids = sections.flatMap((section, at) =>
    section.items.map((item, index) => ({ item, place: [...steps, at, 'items', index] })),
  )
  return [
    ...duplicateItemFindings(component, steps, sections, 'id'),
    ...sections.flatMap((section, at) =>
      duplicateItemFindings(component, [...steps, at, 'items'], section.items, 'id'),
    ),
    ...ids.flatMap(({ item, place }) => itemFindings(component, item, place, on)),
  ]
}

function itemFindings(
  component: { type: ComponentType; key: string },
  item: PlacedItem,
  place: Steps,
  on: PlacedOn,
): Finding[] {
  if (item.type === 'field') {
    if (on.kind !== 'page') return []
    const message = `The field "${item.key}" is placed on a page of an app, which has no record. Place it in a layout of its object, or in a step of a flow.`
    return [errorFinding(component, pointer(...place), 'placement.element', message)]
  }
  const attributes = Object.hasOwn(placeableElements, item.key) ? placeableElements[item.key] : undefined
  if (attributes === undefined) {
    const known = Object.keys(placeableElements)
    const message = `The element "${item.key}" does not exist.${didYouMean(item.key, known) || ` Place ${joinWithOr(known)}.`}`
    return [errorFinding(component, pointer(...place, 'key'), 'placement.element', message)]
  }
  const inputs = Object.entries(item.inputs).flatMap(([name, value]) => {
    const at = pointer(...place, 'inputs', name)
    const reason = explainInput(item.key, attributes, name, value)
    if (reason !== null) return [errorFinding(component, at, 'placement.input', reason)]
    const doubt = doubtInput(attributes[name]!, name, value)
    return doubt === null ? [] : [warningFinding(component, at, 'placement.input', doubt)]
  })
  const isWithoutList = item.key === 'list_view' && item.inputs.listView === undefined
  const noList = `"listView" is missing: the element does not know which records to list. Write the key of a list view.`
  return [
    ...inputs,
    ...(isWithoutList
      ? [errorFinding(component, pointer(...place, 'inputs'), 'placement.input', noList)]
      : []),
    ...recordFindings(item, on).map(([name, message]) =>
      errorFinding(component, pointer(...place, 'inputs', name), 'placement.input', message),
    ),
  ]
}

/** Inputs that need a record which is not there, or that do not go together: the name of each, and what is wrong. */
function recordFindings({ key, inputs }: PlacedItem, on: PlacedOn): [name: string, message: string][] {
  if (key === 'list_view' && inputs.via !== undefined && on.kind !== 'record')
    return [
      [
        'via',
        on.kind === 'draft'
          ? 'No record refers to a record that is not saved yet. Remove "via", or place the list in a layout.'
          : 'A page of an app has no record that "via" could name. Remove it, or place the list in a layout.',
      ],
    ]
  if (key !== 'lookup_field' || inputs.field === undefined) return []
  if (on.kind === 'page')
    return [
      [
        'field',
        'A page of an app has no record. Write "object" instead, for the object whose records are found.',
      ],
    ]
  return inputs.object === undefined
    ? []
    : [['object', 'The field already decides which records are found. Remove "object" or "field".']]
}

/** The kinds of values of inputs, for messages. */
export const inputTypeLabels = {
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
  const why = explainNonInput(element, name)
  if (why !== null) return `"${name}" cannot be an input of ${element}: ${why}. Remove it.`
  const expectedType = Object.hasOwn(attributes, name) ? attributes[name]!.type : undefined
  if (expectedType === undefined) {
    const known = Object.keys(attributes)
    const written = known.find((each) => attributeOf(each) === name)
    const near = written === undefined ? didYouMean(name, known) : ` Write it as "${written}".`
    return `"${name}" is not an input of ${element}.${near || ` It has ${joinWithOr(known)}.`}`
  }
  if (typeof value !== expectedType) {
    return `The input "${name}" of ${element} must be ${inputTypeLabels[expectedType]}, not ${JSON.stringify(value)}.`
  }
  if (typeof value === 'number' && (value < 0 || !Number.isInteger(value)))
    return `The input "${name}" of ${element} must be a whole number of at least 0, not ${value}.`
  return null
}

/** Warns about a value that is accepted but has a different effect than it suggests. */
function doubtInput(
  { choices, defaultText }: ElementInput,
  name: string,
  value: string | number | boolean,
): string | null {
  if (choices === undefined || choices.includes(String(value))) return null
  const near = didYouMean(String(value), choices)
  return `"${name}" is "${String(value)}", which is treated as ${defaultText ?? 'none'}.${near || ` Write ${joinWithOr(choices)}.`}`
}

/** The form of sections, for layouts and apps. */
export const sectionColumns: readonly FieldDescriptor[] = [
  {
    path: 'id',
    label: 'Id',
    help: 'Identifies the section on the page.',
    widget: 'text',
    required: true,
  },
  {
    path: 'section',
    label: 'Title',
    help: 'Shown above the section. Leave empty for none.',
    widget: 'text',
    required: true,
  },
  {
    path: 'columns',
    label: 'Columns',
    help: 'The number of columns for its items, 1 to 4.',
    widget: 'number',
  },
  {
    path: 'items',
    label: 'Items',
    help: 'The contents of the section, in this order.',
    widget: 'grid',
    fields: [
      {
        path: 'id',
        label: 'Id',
        help: 'Identifies the item in the section.',
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
        help: 'The key of the field, or lookup_field, or list_view.',
        widget: 'text',
        required: true,
      },
      {
        path: 'inputs',
        label: 'Inputs',
        help: 'Values of the element’s attributes. The page provides functions.',
        widget: 'json',
      },
    ],
  },
]
