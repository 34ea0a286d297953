// The message of a finding in a form: in the form's labels and choices, never in property names or JSON.
import type { FieldDescriptor, FormDescriptor } from '#kernel/components/form.ts'
import { joinWithOr } from '#kernel/components/report.ts'
import type { Finding } from '../api/wire.ts'
import { allFields, fieldPlaceAt, labelsOf, type FormFieldPlace } from '#kernel/components/form-place.ts'

export function inFormWords<F extends Pick<Finding, 'code' | 'path' | 'message'>>(
  form: FormDescriptor,
  finding: F,
): F {
  const place = fieldPlaceAt(form, finding.path)
  const message = schemaMessage(place, finding) ?? replaceNames(form, place, finding.message)
  return { ...finding, message: message.replaceAll('true or false', yesOrNo(place)) }
}

/** The message of a fault that the schema finds; null if a rule found it. */
function schemaMessage(
  { field, isItem }: FormFieldPlace,
  { code, path, message }: Pick<Finding, 'code' | 'path' | 'message'>,
): string | null {
  if (path === '/label') return 'Label is required: it is the name that people see.'
  const name = path.split('/').at(-1)!
  if (code === 'body.unknown_property')
    return field === undefined
      ? `The form has no field for “${name}”. Remove it in the JSON view.`
      : `${field.label} does not belong here. Remove it.`
  // Every message about a wrong type ends like this, whichever code it has.
  const isWrongType = /; write [^;]*\.$/.test(message)
  if (field === undefined) return isWrongType ? 'An item of this list is not valid. Choose it again.' : null
  const called = isItem ? `An item of ${field.label}` : field.label
  if (code === 'body.missing') return `${called} is required. ${request(field)}`
  if (isWrongType) return `${called} is not valid. ${request(field, message)}`
  if (code === 'body.value' && field.options !== undefined) return `${called} is not valid. ${request(field)}`
  return null
}

/** What to do in the field. */
function request({ widget, options }: FieldDescriptor, message = ''): string {
  if (options !== undefined) return `Choose ${joinWithOr(options.map(({ label }) => label))}.`
  switch (widget) {
    case 'number':
      return message.includes('whole number') ? 'Enter a whole number.' : 'Enter a number.'
    case 'date':
      return 'Enter a date such as 31 Dec 2026.'
    case 'switch':
      return 'Choose yes or no.'
    case 'reference':
    case 'references':
    case 'principal':
    case 'grants':
    case 'object_field':
    case 'scope':
    case 'multiselect':
      return 'Choose from the list.'
    case 'grid':
    case 'list':
    case 'map':
    case 'chain':
      return 'Add a line.'
    case 'group':
    case 'entry_values':
      return 'Fill in its fields.'
    default:
      return 'Enter a value.'
  }
}

const yesOrNo = ({ field }: FormFieldPlace): string =>
  field?.options === undefined ? 'yes or no' : joinWithOr(field.options.map(({ label }) => label))

/** Replaces property names in a sentence by their labels, and values by the labels of the choices. */
function replaceNames(form: FormDescriptor, place: FormFieldPlace, message: string): string {
  const labels = labelsOf(form, place.levels)
  const steps = new Set(place.levels.flat().map(({ path }) => path))
  const labelOf = (name: string): string | undefined => labels.get(name)
  return choicesIn(form, place, message)
    .replace(/\bJSON (number|text)\b/g, '$1')
    .replace(/item (\d+) of "([^"]+)"/g, (all, at: string, name: string) =>
      labelOf(name) === undefined ? all : `line ${at} of ${labelOf(name)}`,
    )
    .replace(/"([A-Za-z]+(?:\.[A-Za-z]+)*)"/g, (all: string, name: string, at: number, whole: string) => {
      const label = labelOf(name)
      const isName = /[A-Z]/.test(name) || (steps.has(name) && namesBefore.test(whole.slice(0, at)))
      return label === undefined || !isName ? all : `"${label}"`
    })
    .replace(
      /(?<![\w."/])[a-z]+[A-Z][A-Za-z]*(?![\w/])/g,
      (name) => (labelOf(name) && `"${labelOf(name)}"`) ?? name,
    )
}

/** The words that come before the name of a property, never before a user's key. */
const namesBefore = /(?:^|[.,;:] |\b(?:Remove|Add|Set|Give|Raise|lower|its|no|one of|or|and|hold only) )$/i

function choicesIn(form: FormDescriptor, place: FormFieldPlace, message: string): string {
  const fields = [...place.levels.flat().reverse(), ...allFields(form)].filter(({ options }) => options)
  const choice = (name: string, value: string): string[] | null => {
    const field = fields.find(({ path }) => path.split('.').at(-1) === name)
    const label = field?.options?.find((option) => option.value === value)?.label
    return field === undefined || label === undefined ? null : [field.label, label]
  }
  const values = fields.flatMap(({ options }) => options ?? []).filter(({ value }) => value.includes('_'))
  return message
    .replace(/\b[Mm]ake the (\w+) (\w+)/g, (all: string, name: string, value: string) => {
      const [label, option] = choice(name, value) ?? []
      return label === undefined ? all : `${all.startsWith('M') ? 'Set' : 'set'} "${label}" to "${option}"`
    })
    .replace(/\bof type (\w+)/g, (all: string, value: string) => {
      const label = choice('type', value)?.[1]
      return label === undefined ? all : `of type "${label}"`
    })
    .replace(/\b[a-z]+_[a-z_]+\b/g, (word) => {
      const label = values.find(({ value }) => value === word)?.label
      return label === undefined ? word : `"${label}"`
    })
}
