// What a page layout can place, one row per case (docs/reference/lookup-field.md). The finding must contain every one
// of `names`.

export interface PlacementCase {
  name: string
  /** The section of a layout of "invoice", as written. */
  section: unknown
  /**
   * The place inside the section, and the words of the finding; none if the section can be applied without a finding.
   */
  finding?: { severity: 'error' | 'warning'; code: string; at: string; names?: readonly string[] }
}

const section = (item: unknown, more: object = {}): object => ({
  ...{ id: 'main', section: 'Invoice', columns: 2 },
  items: [item],
  ...more,
})
const placed = (inputs: unknown, more: object = {}): object =>
  section({ id: 'who', type: 'component', key: 'lookup_field', inputs, ...more })
const refused = (at: string, names: readonly string[] = [], code = 'placement.input') => ({
  finding: { severity: 'error' as const, code, at, names },
})

/** Every attribute as an input, with its type. */
const everything = {
  ...{ mode: 'edit', value: '7', display: 'Ada', href: '/people/7', label: 'Who', placeholder: 'Name' },
  ...{ matchFields: 'name,city', displayFields: 'city', minChars: 2, searchDelay: 0 },
  ...{ required: true, disabled: false, invalid: true, message: 'Pick one.', inline: false },
}

export const placementCases: readonly PlacementCase[] = [
  { name: 'every attribute', section: placed(everything) },
  { name: 'no input at all', section: placed({}) },
  { name: 'an item without inputs', section: section({ id: 'a', type: 'component', key: 'lookup_field' }) },
  { name: 'a field of the object', section: section({ id: 'a', type: 'field', key: 'memo' }) },
  {
    name: 'an unknown input',
    section: placed({ lable: 'X' }),
    ...refused('/items/0/inputs/lable', ['"label"']),
  },
  {
    name: 'an input as in markup',
    section: placed({ 'min-chars': 2 }),
    ...refused('/items/0/inputs/min-chars', ['"minChars"']),
  },
  {
    name: 'an input with a completely different name',
    section: placed({ zzzzzzzzzzzz: 1 }),
    ...refused('/items/0/inputs/zzzzzzzzzzzz', ['mode', 'inline']),
  },
  {
    name: 'the search function by name',
    section: placed({ search: 'find' }),
    ...refused('/items/0/inputs/search', ['function', 'the page provides']),
  },
  { name: 'the focus function', section: placed({ focus: true }), ...refused('/items/0/inputs/focus') },
  {
    name: 'read-only state',
    section: placed({ open: true }),
    ...refused('/items/0/inputs/open', ['read-only']),
  },
  {
    name: 'text for a number',
    section: placed({ minChars: '2' }),
    ...refused('/items/0/inputs/minChars', ['a number', '"2"']),
  },
  { name: 'a number below zero', section: placed({ minChars: -1 }), ...refused('/items/0/inputs/minChars') },
  {
    name: 'half a millisecond',
    section: placed({ searchDelay: 0.5 }),
    ...refused('/items/0/inputs/searchDelay'),
  },
  {
    name: 'text for a switch',
    section: placed({ required: 'yes' }),
    ...refused('/items/0/inputs/required', ['true or false']),
  },
  { name: 'a number for text', section: placed({ label: 7 }), ...refused('/items/0/inputs/label', ['text']) },
  {
    name: 'a list of fields as a list',
    section: placed({ matchFields: ['name'] }),
    ...refused('/items/0/inputs/matchFields', [], 'body.type'),
  },
  {
    name: 'an object for an input',
    section: placed({ search: { name: 'find' } }),
    ...refused('/items/0/inputs/search', [], 'body.type'),
  },
  {
    name: 'an unknown mode',
    section: placed({ mode: 'edti' }),
    finding: {
      severity: 'warning',
      code: 'placement.input',
      at: '/items/0/inputs/mode',
      names: ['read', '"edit"'],
    },
  },
  {
    name: 'a lookup field at a field that the object does not have',
    section: placed({ field: 'mem' }),
    ...refused('/items/0/inputs/field', ['"mem"', '"memo"'], 'reference.unknown_field'),
  },
  {
    name: 'a lookup field at a field that is not a reference',
    section: placed({ field: 'memo' }),
    ...refused('/items/0/inputs/field', ['memo', 'text']),
  },
  {
    name: 'a lookup field over an object that does not exist',
    section: placed({ object: 'invoise' }),
    ...refused('/items/0/inputs/object', ['"invoice"'], 'reference.unknown'),
  },
  {
    name: 'a list without a list view',
    section: section({ id: 'a', type: 'component', key: 'list_view' }),
    ...refused('/items/0/inputs', ['"listView"']),
  },
  {
    name: 'an unknown element',
    section: placed({}, { key: 'lookup_fild' }),
    ...refused('/items/0/key', ['"lookup_field"'], 'placement.element'),
  },
  {
    name: 'an item of another kind',
    section: placed({}, { type: 'element' }),
    ...refused('/items/0/type', ['component'], 'body.value'),
  },
  {
    name: 'an item without an id',
    section: section({ type: 'component', key: 'lookup_field' }),
    ...refused('/items/0/id', [], 'body.missing'),
  },
  {
    name: 'an element with content',
    section: placed({}, { children: [] }),
    ...refused('/items/0/children', [], 'body.unknown_property'),
  },
  {
    name: 'more columns than four',
    section: section({ id: 'a', type: 'field', key: 'memo' }, { columns: 5 }),
    ...refused('/columns', ['4'], 'body.range'),
  },
]
