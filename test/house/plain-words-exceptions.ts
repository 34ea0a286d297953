// Lines that match the word list and stay, each with its reason.
export interface WordException {
  file: string
  /** A part of the line. */
  text: string
  reason: string
}

export const wordExceptions: readonly WordException[] = [
  {
    file: 'elements/build/inner-names.ts',
    text: 'say',
    reason: 'a name of a property, renamed with the property',
  },
  {
    file: 'elements/build/inner-names.ts',
    text: 'tell',
    reason: 'a name of a property, renamed with the property',
  },
]
