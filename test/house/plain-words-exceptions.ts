// Lines that match the word list and stay, each with its reason.
export interface WordException {
  file: string
  /** A part of the line. */
  text: string
  reason: string
}

export const wordExceptions: readonly WordException[] = []
