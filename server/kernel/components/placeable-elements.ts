// The list of all elements that can be placed, with the attributes that a placement can set
// (docs/reference/lookup-field.md).

/** One attribute. Its name in markup is derived from the name of the input: `minChars` is `min-chars`. */
export interface ElementInput {
  type: 'string' | 'number' | 'boolean'
  /** Its meaning, in one sentence. */
  help: string
  /** The default value as text; absent without a default. */
  defaultText?: string
  /** The values that have a meaning. */
  choices?: readonly string[]
  unit?: string
}

type Inputs = Readonly<Record<string, ElementInput>>

const lookupField = {
  mode: {
    type: 'string',
    help: 'What is shown: the link (read) or the typeahead (edit).',
    defaultText: 'read',
    choices: ['read', 'edit'],
  },
  value: { type: 'string', help: 'Id of the linked record.' },
  display: { type: 'string', help: 'Name of the record. If omitted, the id is shown.' },
  href: { type: 'string', help: 'Target of the link. If omitted, a click on the name opens the search.' },
  label: { type: 'string', help: 'Name of the field, shown above the control.' },
  placeholder: {
    type: 'string',
    help: 'Hint in the empty box. In read mode, the text that is shown if no record is linked.',
    defaultText: 'Search…',
  },
  matchFields: {
    type: 'string',
    help: 'Fields that the typed text is matched against, separated by commas.',
  },
  displayFields: { type: 'string', help: 'Fields on the second line of a result, separated by commas.' },
  minChars: {
    type: 'number',
    help: 'Number of characters to type before the search starts.',
    defaultText: '0',
  },
  searchDelay: {
    type: 'number',
    help: 'Delay between the last keystroke and the search.',
    defaultText: '150',
    unit: 'ms',
  },
  required: {
    type: 'boolean',
    help: 'Shows an asterisk. A form cannot be submitted until a record is chosen.',
  },
  disabled: { type: 'boolean', help: 'Disables the typeahead. It has no effect in read mode.' },
  invalid: { type: 'boolean', help: 'Shows a red outline and the message.' },
  message: { type: 'string', help: 'Text below the control.' },
  inline: { type: 'boolean', help: 'Hides the box, label and message, for use in a row of a record.' },
} as const satisfies Inputs

export type LookupInput = keyof typeof lookupField

/** Inputs of `lookup_field` that are not attributes: with them, the page finds the source and the value. */
const lookupPlace = {
  field: {
    type: 'string',
    help: 'The reference field of the record that is shown and changed. If omitted, the reference field whose key is the id of the item.',
  },
  object: {
    type: 'string',
    help: 'The object whose records are found, outside of a field. A choice opens the record.',
  },
} as const satisfies Inputs

/** The inputs of `lookup_field` in the order in which they are shown. */
export const lookupInputs: Readonly<Record<LookupInput, ElementInput>> = lookupField

export const placeableElements: Readonly<Record<string, Inputs>> = {
  lookup_field: { ...lookupPlace, ...lookupField },
  list_view: {
    listView: { type: 'string', help: 'Key of the list view.' },
    label: { type: 'string', help: 'Shown above the list.' },
    via: {
      type: 'string',
      help: 'The reference field of the listed records that names the record of the page. If omitted, all are listed.',
    },
  },
}

/** Returns the name of an input in markup. */
export const attributeOf = (input: string): string =>
  input.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Properties of `lookup_field` that are functions or state, which a placement cannot carry. */
const nonInputProperties: Readonly<Record<string, string>> = {
  search: 'it is a function, which the page provides',
  focus: 'it is a function, which the page calls',
  open: 'it is read-only state of the element',
}

/** Returns why a property of an element can never be an input; null if it can be, or does not exist. */
export const explainNonInput = (element: string, name: string): string | null =>
  element === 'lookup_field' && Object.hasOwn(nonInputProperties, name) ? nonInputProperties[name]! : null
