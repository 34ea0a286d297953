// Elements that can be placed, and the attributes that a placement may give a value: the one list of them (specification 2.9).

/** One attribute. Its name in markup is made from the name of the input: `minChars` is `min-chars`. */
export interface ElementInput {
  type: 'string' | 'number' | 'boolean'
  /** What it means, in one sentence. */
  help: string
  /** What holds where it is left out, in words; nothing where left out here. */
  byDefault?: string
  /** The values that mean something. */
  choices?: readonly string[]
  unit?: string
}

type Inputs = Readonly<Record<string, ElementInput>>

const lookupField = {
  mode: {
    type: 'string',
    help: 'Which half is drawn: the link or the typeahead.',
    byDefault: 'read',
    choices: ['read', 'edit'],
  },
  value: { type: 'string', help: 'Id of the record pointed at.' },
  display: { type: 'string', help: 'Name of the record; without it the id is shown.' },
  href: { type: 'string', help: 'Target of the link; without it the name is a trigger for re-pointing.' },
  label: { type: 'string', help: 'Name of the field, drawn above the control.' },
  placeholder: {
    type: 'string',
    help: 'Hint in the empty box; in read mode what stands where nothing is linked.',
    byDefault: 'Search…',
  },
  matchFields: { type: 'string', help: 'Fields that the typed text is matched against, with commas.' },
  displayFields: { type: 'string', help: 'Fields on the second line of a result, with commas.' },
  minChars: { type: 'number', help: 'Characters typed before the source is asked.', byDefault: '0' },
  searchDelay: {
    type: 'number',
    help: 'Wait after the last keystroke before the source is asked.',
    byDefault: '150',
    unit: 'ms',
  },
  required: { type: 'boolean', help: 'Draws an asterisk; a form waits until something is chosen.' },
  disabled: { type: 'boolean', help: 'Greys the typeahead and refuses focus; nothing in read mode.' },
  invalid: { type: 'boolean', help: 'Red outline and message.' },
  message: { type: 'string', help: 'Line under the control.' },
  inline: { type: 'boolean', help: 'Without box, label and message, for a row of a record.' },
} as const satisfies Inputs

export type LookupInput = keyof typeof lookupField

/** The inputs of `lookup_field` in the order in which they are shown. */
export const lookupInputs: Readonly<Record<LookupInput, ElementInput>> = lookupField

export const placeableElements: Readonly<Record<string, Inputs>> = {
  lookup_field: lookupField,
  list_view: {
    listView: { type: 'string', help: 'Key of the list view.' },
    label: { type: 'string', help: 'Drawn above the list.' },
  },
}

/** The name of an input in markup. */
export const attributeOf = (input: string): string =>
  input.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Properties of `lookup_field` that are functions or state, which a placement cannot carry. */
const notValues: Readonly<Record<string, string>> = {
  search: 'it is a function, which comes from the surrounding page',
  focus: 'it is a function, which the surrounding page calls',
  open: 'it is read-only state of the element',
}

/** Why a property of an element is never an input of a placement; null where it may be, or is not known. */
export const explainNoValue = (element: string, name: string): string | null =>
  element === 'lookup_field' && Object.hasOwn(notValues, name) ? notValues[name]! : null
