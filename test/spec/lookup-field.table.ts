// What docs/reference/lookup-field.md promises about <svc-lookup-field>, as data; and what it has in addition as a form
// field.

interface Attribute {
  name: string
  type: string
  default?: string
}

/** Attributes in the order of the specification, with their defaults. */
export const attributes: readonly Attribute[] = [
  { name: 'mode', type: "'read' | 'edit'", default: 'read' },
  { name: 'match-fields', type: 'string' },
  { name: 'display-fields', type: 'string' },
  { name: 'min-chars', type: 'number', default: '0' },
  { name: 'search-delay', type: 'number', default: '150' },
  { name: 'value', type: 'string' },
  { name: 'display', type: 'string' },
  { name: 'href', type: 'string' },
  { name: 'label', type: 'string' },
  { name: 'placeholder', type: 'string', default: 'Search…' },
  { name: 'required', type: 'boolean', default: 'false' },
  { name: 'disabled', type: 'boolean', default: 'false' },
  { name: 'invalid', type: 'boolean', default: 'false' },
  { name: 'message', type: 'string' },
  { name: 'inline', type: 'boolean', default: 'false' },
]

/** The attributes that are also properties; the others exist only in markup. */
export const properties = [
  { name: 'search', type: 'LookupSearch | null' },
  { name: 'value', type: 'string | null' },
  { name: 'display', type: 'string | null' },
  { name: 'open', type: 'boolean', readonly: true },
] as const

export const methods = [{ name: 'focus', parameters: ['FocusOptions'] }] as const

export const parts = [
  'label',
  'link',
  'combo',
  'icon',
  'input',
  'clear',
  'listbox',
  'option',
  'message',
] as const

const colours = ['border', 'border-strong', 'surface', 'surface-2', 'text', 'text-muted']
const accents = ['accent', 'accent-strong', 'danger']

export const tokens: readonly string[] = [
  ...['font', 'text-body', 'text-row', 'space-1', 'space-2', 'space-3', 'space-4', 'space-5'],
  ...['radius', 'radius-sm', 'accent-wash', 'focus-ring', 'shadow-float'],
  ...[...colours, ...accents].map((name) => `color-${name}`),
].map((name) => `--svc-${name}`)

/** What each event carries. */
export const events = [
  { name: 'svc-lookup-change', type: 'CustomEvent<LookupChange>' },
  { name: 'svc-lookup-clear', type: 'CustomEvent<null>' },
] as const

/** In addition to the events of the specification: the error that a source threw. */
export const otherEvents = [{ name: 'svc-lookup-error', type: 'CustomEvent<LookupError>' }] as const

/** Members that every form field has; the specification does not cover forms. */
export const ofForms = {
  attributes: ['name', 'form'],
  properties: ['form', 'name', 'labels', 'validity', 'validationMessage', 'willValidate'],
  methods: ['checkValidity', 'reportValidity', 'setCustomValidity'],
} as const
