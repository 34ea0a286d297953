// Checks a value that a client sends for a field, and returns its stored form.
import type { ComponentOf } from '../components/body-types.ts'
import type { FieldValue } from '../components/field-types.ts'
import type { ObjectField } from '../components/object/body.ts'
import { valuesByKey } from '../components/value-set/members.ts'
import type { ComponentView } from '../components/view.ts'
import { didYouMean } from '../errors/suggest.ts'
import { parsePlainValue, refuse, type ParsedValue } from './parse-plain-value.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Returns the stored form of a value. A number may be a decimal string, or a JSON number of up to 15 digits, which is
 * exact. `before` is the stored value: an inactive member of a value set can be kept, but not chosen.
 */
export function parseFieldValue(
  field: ObjectField,
  input: unknown,
  view: ComponentView,
  before: FieldValue = null,
): ParsedValue {
  if (input === null) return { ok: true, value: null }
  const name = field.label ?? field.key
  switch (field.type) {
    case 'enum':
      return enumValue(field, name, input, view, before)
    case 'reference':
      if (typeof input === 'string' && isRecordId(input, field, view)) return { ok: true, value: input }
      return refuse(`${name} must be the id of a record of ${field.references}.`)
    default: {
      const { type, unique, precision, scale } = field
      return parsePlainValue({ type, name, unique, precision, scale }, input)
    }
  }
}

/** Characters of an id of a row in a remote source. */
const maxRowId = 400

/** Whether the text can be the id of a record: of a virtual object, it is a text of the source. */
function isRecordId(text: string, { references }: ObjectField, view: ComponentView): boolean {
  const target = references === undefined ? undefined : view.get('object', references)
  if (target?.body.storage !== 'external') return uuid.test(text)
  return text !== '' && text.length <= maxRowId && text.isWellFormed() && !text.includes('\0')
}

function enumValue(
  { valueSet: key }: ObjectField,
  name: string,
  input: unknown,
  view: ComponentView,
  before: FieldValue,
): ParsedValue {
  const set = key === undefined ? undefined : view.get('value_set', key)
  if (typeof input !== 'string') return refuse(`${name} must be a value of ${key}.`)
  const member = set === undefined ? undefined : valuesByKey(set).get(input)
  if (member !== undefined && (member.active || input === before)) return { ok: true, value: input }
  if (member !== undefined) return refuse(`${name}: "${input}" is no longer offered. ${offered(set!)}`)
  const keys = set === undefined ? [] : [...valuesByKey(set).keys()]
  return refuse(`${name}: "${input.slice(0, 80)}" is not a value of ${key}.${didYouMean(input, keys)}`)
}

const maxNamed = 12

function offered({ body }: ComponentOf<'value_set'>): string {
  const active = body.values.filter((value) => value.active).map((value) => value.key)
  const more = active.length > maxNamed ? ` and ${active.length - maxNamed} more` : ''
  return active.length === 0
    ? 'It has no active values.'
    : `Choose ${active.slice(0, maxNamed).join(', ')}${more}.`
}
