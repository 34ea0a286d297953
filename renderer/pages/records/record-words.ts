// Values of records in words.
import { isErased } from '#kernel/records/erased-value.ts'
import type { FieldDescription, RecordValue } from '../../api/records.ts'
import { longMoment, userZone } from '../../text/moments.ts'
import { longDate } from '../../text/words.ts'

/** `null` is an absent value, or one that the user cannot read. */
export function recordValueWords(
  { type, labels = null }: Pick<FieldDescription, 'type'> & Partial<Pick<FieldDescription, 'labels'>>,
  value: RecordValue,
): string {
  if (value === null) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (type === 'enum') return labelOf(labels, value)
  if (type === 'date') return longDate(value)
  if (isErased(value)) return 'erased'
  return type === 'datetime' ? longMoment(value, userZone()) : value
}

/** The label of a value of a value set; the text itself if it is not one. */
export const labelOf = (labels: Readonly<Record<string, string>> | null, value: string): string =>
  labels !== null && Object.hasOwn(labels, value) ? labels[value]! : value

/** Why a value is absent, by the code of its error. */
export function failureWords(code: string): string {
  if (code === 'integration.wrong_type') return 'of a different type in the source'
  if (code === 'record.not_found') return 'names no row that you can see'
  const isOfSource = code.startsWith('integration.') || code === 'limit.list_incomplete'
  return `cannot be ${isOfSource ? 'read' : 'computed'}: ${code}`
}

export const computedWords = {
  stored_formula: 'stored formula',
  virtual_formula: 'virtual formula',
  roll_up: 'roll-up',
} as const
