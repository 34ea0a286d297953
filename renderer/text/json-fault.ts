// The first fault of a text as the server finds it; the server does not accept comments in JSON.
import { parseTree, printParseErrorCode, type ParseError } from 'jsonc-parser'
import { jsonErrorReason } from '#kernel/components/json-reasons.ts'
import { positionAt, type TextPosition } from '#kernel/components/text-position.ts'

/** Null if the text is JSON. */
export function jsonFault(text: string): (TextPosition & { reason: string }) | null {
  const errors: ParseError[] = []
  parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  const [first] = errors
  if (first === undefined) return null
  return { ...positionAt(text, first.offset), reason: jsonErrorReason(printParseErrorCode(first.error)) }
}
