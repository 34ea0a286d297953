// A search over a virtual object, as a filter that its source applies.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import type { ObjectPrograms } from '#kernel/records/index.ts'
import type { RecordCaller } from '../read/record-caller.ts'
import { nameFieldOf } from '../record-indexes.ts'

/** The keys of the text fields that are searched: the name field if none are named. @throws AlmanacError `request.invalid` */
export function searchedFields(
  { access, present }: RecordCaller,
  programs: ObjectPrograms,
  names: readonly string[] | undefined,
): string[] {
  const { object, body } = programs
  const readable = body.fields.filter(({ key }) => access.canReadField(object, key))
  const texts = readable.filter(({ type, formula }) => type === 'text' && formula === undefined)
  const keys = texts.map(({ key }) => key)
  if (names === undefined) {
    const name = nameFieldOf(present.view, object)
    return keys.includes(name ?? '') ? [name!] : keys.slice(0, 1)
  }
  const found = names.map((each) => {
    const field = programs.field(each)
    if (field !== undefined && keys.includes(field.key)) return field.key
    const isKnown = field !== undefined && readable.includes(field)
    throw new AlmanacError(
      'request.invalid',
      isKnown
        ? `matchFields: ${object}.${field.key} cannot be searched. The source searches ${keys.join(', ') || 'no field'}.`
        : `matchFields: ${object} has no field "${each}".${didYouMean(each, keys)}`,
    )
  })
  return [...new Set(found)]
}

/** In lower case, as a source compares them: it does not know the letters that the local search folds. */
export const wordsOf = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== ''),
  ),
]

/** Each word occurs in one of the fields, in upper or lower case. Undefined without a word. */
export function searchFilter(keys: readonly string[], words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined
  const occurs = (word: string): string =>
    keys.map((key) => `${key}.lower().contains(${JSON.stringify(word)})`).join(' || ')
  return words.map((word) => `(${occurs(word)})`).join(' && ')
}
