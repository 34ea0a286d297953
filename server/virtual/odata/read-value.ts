// Reads a property of an OData payload as a stored value of its field. What does not have the type is a problem of this
// field, not of the row.
import type { FieldValue } from '#kernel/components/field-types.ts'
import { valuesByKey } from '#kernel/components/value-set/members.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { checkPrecision, formatFixed, parseDecimal } from '#kernel/decimal/decimal.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { parseInstant } from '#kernel/expr/index.ts'
import type { MappedField } from '../virtual-object.ts'
import { LongNumber } from './exact-json.ts'

export type ReadValue = { ok: true; value: FieldValue } | { ok: false; reason: string }

const value = (stored: FieldValue): ReadValue => ({ ok: true, value: stored })
const wrong = (reason: string): ReadValue => ({ ok: false, reason })

/** @param view has the value sets of enums */
export function readValue(json: unknown, field: MappedField, view: ComponentView): ReadValue {
  if (json === null || json === undefined) return value(null)
  const { type } = field.field
  switch (type) {
    case 'boolean':
      return typeof json === 'boolean' ? value(json) : wrong(`is ${describe(json)}, not true or false`)
    case 'number':
      return numberValue(json, field)
    case 'date': {
      const date = typeof json === 'string' ? parseCivilDate(json) : null
      return date === null ? wrong(`is ${describe(json)}, not a date`) : value(date)
    }
    case 'datetime': {
      const instant = typeof json === 'string' ? parseInstant(json) : null
      return instant === null ? wrong(`is ${describe(json)}, not a datetime`) : value(instant.text)
    }
    case 'enum':
      return enumValue(json, field, view)
    case 'text':
    case 'reference': {
      const text = textOf(json, field)
      if (text === null && typeof json === 'string' && field.kind === 'string')
        return wrong('has a character that no text can contain')
      return text === null
        ? wrong(`is ${describe(json)}, not ${textNames[field.kind] ?? 'a text'}`)
        : value(text)
    }
  }
}

/** The text of a key or of a text property; null if the value has a different type. */
export function textOf(json: unknown, { kind }: Pick<MappedField, 'kind'>): string | null {
  if (kind !== 'integer') {
    if (typeof json !== 'string' || json.includes('\0') || !json.isWellFormed()) return null
    return kind === 'guid' ? json.toLowerCase() : json
  }
  const text = json instanceof LongNumber ? json.digits : typeof json === 'boolean' ? '' : String(json)
  return /^(0|-?[1-9][0-9]{0,18})$/.test(text) ? text : null
}

const textNames: Readonly<Partial<Record<MappedField['kind'], string>>> = {
  integer: 'a whole number',
  guid: 'a GUID',
}

function numberValue(json: unknown, { field: { precision, scale } }: MappedField): ReadValue {
  const text = json instanceof LongNumber ? json.digits : typeof json === 'number' ? String(json) : json
  const number = typeof text === 'string' ? parseDecimal(plainText(text)) : null
  if (number === null) return wrong(`is ${describe(json)}, not a number`)
  if (precision === undefined || scale === undefined) return wrong('has no precision and scale here')
  if (checkPrecision(number, precision, scale) !== 'ok')
    return wrong(`is ${describe(json)}, which does not fit numeric(${precision}, ${scale})`)
  return value(formatFixed(number, scale))
}

const exponentForm = /^(-?)([0-9]+)(?:\.([0-9]+))?[eE]([+-]?[0-9]{1,3})$/

/** JSON and doubles can write a number with an exponent. */
function plainText(text: string): string {
  const match = /e/i.test(text) ? exponentForm.exec(text) : null
  if (match === null) return text
  const [, sign, whole, fraction = '', exponent] = match
  const digits = `${whole}${fraction}`
  const point = whole!.length + Number(exponent)
  const padded = digits.padStart(digits.length + Math.max(0, 1 - point), '0')
  const at = Math.max(point, 1)
  const before = padded.slice(0, at).padEnd(at, '0')
  const after = padded.slice(at)
  return `${sign}${before}${after === '' ? '' : `.${after}`}`
}

function enumValue(json: unknown, { field }: MappedField, view: ComponentView): ReadValue {
  const set = field.valueSet === undefined ? undefined : view.get('value_set', field.valueSet)
  if (typeof json !== 'string' || set === undefined || !valuesByKey(set).has(json))
    return wrong(`is ${describe(json)}, not a value of ${field.valueSet}`)
  return value(json)
}

/** The type and never the value, which can be sensitive. */
function describe(json: unknown): string {
  if (json instanceof LongNumber || typeof json === 'number') return 'a number'
  if (Array.isArray(json)) return 'a list'
  if (typeof json === 'object') return 'an object'
  return typeof json === 'boolean' ? 'a boolean' : 'a text'
}
