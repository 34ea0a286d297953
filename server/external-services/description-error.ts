// The errors of descriptions: each names the source, the place and how to fix it.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { truncateMessage } from '#kernel/errors/truncate-input.ts'

type DescriptionErrorCode = Extract<AlmanacError['code'], `description.${string}`>

/** Where something is in a description. */
export interface DescriptionPlace {
  /** JSON pointer; empty for the whole document. */
  pointer?: string
  /** Line and column of the text, from 1. */
  line?: number
  column?: number
}

/** @param place of the fault; `details` of the error holds it beside the message */
export function descriptionError(
  code: DescriptionErrorCode,
  message: string,
  place: DescriptionPlace = {},
): AlmanacError {
  const text = truncateMessage(message.toWellFormed())
  // A description without an address or a file begins the sentence with an article.
  const detail = text.startsWith('the ') ? `The ${text.slice(4)}` : text
  return new AlmanacError(code, detail, { details: [{ ...place, message: detail }] })
}
