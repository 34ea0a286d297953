// Checks a value for a field whose type alone decides it. Also used by the studio, so it must import little.
import type { FieldValue, ObjectFieldType } from '../components/field-types.ts'
import { explainCivilDate, parseCivilDate } from '../dates/civil-date.ts'
import { normaliseNumber } from '../decimal/decimal.ts'
import { parseInstant } from '../expr/instant.ts'

export type ParsedValue = { ok: true; value: FieldValue } | { ok: false; message: string }

export type PlainType = Exclude<ObjectFieldType, 'enum' | 'reference'>

export interface PlainField {
  type: PlainType
  /** In messages. */
  name: string
  unique: boolean
  /** Of a number. */
  precision: number | undefined
  scale: number | undefined
}

/** Unique text has an index, whose entries must fit a page. */
const maxUniqueLength = 400

/** Returns the stored form of a value that is not null. */
export function parsePlainValue(field: PlainField, input: unknown): ParsedValue {
  const { type, name } = field
  switch (type) {
    case 'boolean':
      if (typeof input === 'boolean') return { ok: true, value: input }
      return refuse(`${name} must be true or false.`)
    case 'number':
      return numberValue(field, input)
    case 'text':
      return typeof input === 'string' ? textValue(field, input) : refuse(`${name} must be text.`)
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
  }
}

export const refuse = (message: string): ParsedValue => ({ ok: false, message })

/** A double has 15 digits that are the same in every decimal notation of it. */
const exactDigits = 15

function numberValue({ name, precision, scale }: PlainField, input: unknown): ParsedValue {
  const sent = numberText(name, input)
  if (!sent.ok) return sent
  const number = normaliseNumber(sent.text, precision!, scale!)
  return number.ok ? { ok: true, value: number.text } : refuse(`${name}: ${number.hint}`)
}

/** The text of a number that is sent as text or as a JSON number. */
export function numberText(
  name: string,
  input: unknown,
): { ok: true; text: string } | { ok: false; message: string } {
  if (typeof input !== 'string' && typeof input !== 'number')
    return { ok: false, message: `${name} must be a number, such as "12.50".` }
  const text = String(input)
  const isExact = /^-?[0-9.]+$/.test(text) && text.replace(/\D/g, '').length <= exactDigits
  if (typeof input === 'string' || isExact) return { ok: true, text }
  const message = `${name}: send a number with more than ${exactDigits} digits as text, such as "12.50".`
  return { ok: false, message }
}

function textValue({ name, unique }: PlainField, text: string): ParsedValue {
  if (text.includes('\0'))
    return refuse(`${name} contains the character U+0000, which cannot be stored. Remove it.`)
  if (!text.isWellFormed())
    return refuse(`${name} contains half of a surrogate pair. Send well-formed Unicode.`)
  if (unique && [...text].length > maxUniqueLength)
    return refuse(`${name} is unique and can have at most ${maxUniqueLength} characters.`)
  return { ok: true, value: text }
}
