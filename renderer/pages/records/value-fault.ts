// Why a typed value does not fit its field, in the words of the people who enter records. The server checks it again.
import { normaliseNumber } from '#kernel/decimal/decimal.ts'
import { parseInstant } from '#kernel/expr/instant.ts'
import type { FieldDescription, RecordValue } from '../../api/records.ts'
import { readMoment, userZone } from '../../text/moments.ts'
import { count, dayFault } from '../../text/words.ts'

const mostNamed = 12
const quote = (text: string): string => `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`

type FaultField = Pick<FieldDescription, 'label' | 'type' | 'precision' | 'scale' | 'values' | 'labels'> &
  Partial<Pick<FieldDescription, 'required'>>

/** One or two sentences that do not begin with the label of the field; null if the value fits. */
export function valueFault(field: FaultField, value: RecordValue): string | null {
  if (value === null) return null
  const text = String(value)
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean' ? null : 'Enter yes or no.'
    case 'number':
      return numberFault(field, text)
    case 'date':
      return dayFault(text)
    case 'datetime': {
      if (parseInstant(text) !== null) return null
      const read = readMoment(text, userZone())
      return 'fault' in read ? read.fault : null
    }
    case 'enum':
      return memberFault(field, text)
    case 'text':
      return field.required && text.trim() === '' ? 'Spaces alone are not a value of a required field.' : null
    case 'reference':
      return null
  }
}

function numberFault({ label, precision, scale }: FaultField, text: string): string | null {
  if (precision === null || scale === null) return null
  const number = normaliseNumber(text, precision, scale)
  if (number.ok) return null
  if (number.reason === 'syntax') return number.hint
  if (number.reason === 'precision')
    return `The number is too large: ${label} can have ${count(precision - scale, 'digit')} before the decimal point.`
  if (scale === 0) return `${label} is a whole number: enter it without decimals.`
  return `The number has too many decimals: ${label} can have ${count(scale, 'digit')} after the decimal point.`
}

function memberFault({ label, values, labels }: FaultField, text: string): string | null {
  if (values === null || (labels !== null && Object.hasOwn(labels, text))) return null
  const names = values.slice(0, mostNamed).map((key) => labels?.[key] ?? key)
  const more = values.length - names.length
  if (names.length === 0) return `${quote(text)} is not a value of ${label}, which has no values yet.`
  return `${quote(text)} is not a value of ${label}. Choose ${names.join(', ')}${more > 0 ? `, or one of ${more} more` : ''}.`
}
