// How much of the records is in memory, and in a response, at once.
import type { FieldValue } from '#kernel/components/field-types.ts'

/** A page ends after the record or the change with which it exceeds this number of characters. */
export const maxPageCharacters = 4 * 1024 * 1024

export const textLength = (value: FieldValue): number => (typeof value === 'string' ? value.length : 0)
