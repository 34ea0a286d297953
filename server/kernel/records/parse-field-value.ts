// Checks a value that a client sends for a field, and returns its stored form.
import type { ComponentOf } from '../components/body-types.ts'
import type { FieldValue } from '../components/field-types.ts'
import type { ObjectField } from '../components/object/body.ts'
import { valuesByKey } from '../components/value-set/members.ts'
import type { ComponentView } from '../components/view.ts'
import { explainCivilDate, parseCivilDate } from '../dates/civil-date.ts'
import { normaliseNumber } from '../decimal/decimal.ts'
import { didYouMean } from '../errors/suggest.ts'
import { parseInstant } from '../expr/index.ts'

export type ParsedValue = { ok: true; value: FieldValue } | { ok: false; message: string }

/** Unique text has an index, whose entries must fit a page. */
const maxUniqueLength = 400

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
    case 'boolean':
      if (typeof input === 'boolean') return { ok: true, value: input }
      return refuse(`${name} must be true or false.`)
    case 'number':
      return numberValue(field, name, input)
    case 'text':
      return typeof input === 'string' ? textValue(field, name, input) : refuse(`${name} must be text.`)
    case 'date': {
      if (typeof input !== 'string') return refuse(`${name} must be a date, such as 2025-01-31.`)
      const date = parseCivilDate(input)
      if (date !== null) return { ok: true, value: date }
      return refuse(`${name}: ${explainCivilDate(input) ?? `"${input.slice(0, 40)}" is not a date`}.`)
    }
    case 'datetime': {
      const instant = typeof input === 'string' ? parseInstant(input) : null
      if (instant !== null) return { ok: true, value: instant.text }
      return refuse(`${name} must be a date and time with a time zone, such as 2025-01-31T12:00:00Z.`)
    }
    case 'enum':
      return enumValue(field, name, input, view, before)
    case 'reference':
      if (typeof input === 'string' && uuid.test(input)) return { ok: true, value: input }
      return refuse(`${name} must be the id of a record of ${field.references}.`)
  }
}

const refuse = (message: string): ParsedValue => ({ ok: false, message })

/** A double has 15 digits that are the same in every decimal notation of it. */
const exactDigits = 15

function numberValue({ precision, scale }: ObjectField, name: string, input: unknown): ParsedValue {
  if (typeof input !== 'string' && typeof input !== 'number')
    return refuse(`${name} must be a number, such as "12.50".`)
  const text = String(input)
  if (
    typeof input === 'number' &&
    (!/^-?[0-9.]+$/.test(text) || text.replace(/\D/g, '').length > exactDigits)
  )
    return refuse(`${name}: send a number with more than ${exactDigits} digits as text, such as "12.50".`)
  const number = normaliseNumber(text, precision!, scale!)
  return number.ok ? { ok: true, value: number.text } : refuse(`${name}: ${number.hint}`)
}

function textValue({ unique }: ObjectField, name: string, text: string): ParsedValue {
  if (text.includes('\0'))
    return refuse(`${name} contains the character U+0000, which cannot be stored. Remove it.`)
  if (!text.isWellFormed())
    return refuse(`${name} contains half of a surrogate pair. Send well-formed Unicode.`)
  if (unique && [...text].length > maxUniqueLength)
    return refuse(`${name} is unique and can have at most ${maxUniqueLength} characters.`)
  return { ok: true, value: text }
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
