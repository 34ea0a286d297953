// The first fault of a text as the server finds it; the server does not accept comments in JSON.
import { parseTree, printParseErrorCode, type ParseError } from 'jsonc-parser'
import { jsonReason } from '#kernel/components/json-reasons.ts'
import { placeAt, type TextPlace } from '#kernel/components/text-place.ts'

/** Null if the text is JSON. */
export function jsonFault(text: string): (TextPlace & { reason: string }) | null {
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  const [first] = errors
  if (first === undefined) return null
  return { ...placeAt(text, first.offset), reason: jsonReason(printParseErrorCode(first.error)) }
}
