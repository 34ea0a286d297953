// Why a text is no JSON, in words, by the name that the parser of texts has for it.
import type { TextPlace } from './text-place.ts'

const reasons: Record<string, string> = {
  InvalidSymbol: 'there is a word that JSON does not know; texts stand in double quotes',
  InvalidNumberFormat: 'a number is not written as JSON writes numbers',
  PropertyNameExpected:
    'a property name in double quotes is missing; after the last property there is no comma',
  ValueExpected: 'a value is missing; after the last item there is no comma',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'something follows after the end of the component',
  InvalidCommentToken: 'there is a comment; JSON has none',
  UnexpectedEndOfComment: 'there is a comment; JSON has none',
  UnexpectedEndOfString: 'a closing quote is missing',
  UnexpectedEndOfNumber: 'a number is not finished',
  InvalidUnicode: 'a \\u escape is not four hexadecimal digits',
  InvalidEscapeCharacter: 'there is a backslash before a letter that JSON does not escape',
  InvalidCharacter: 'there is a control character inside a text; write it as \\n, \\t or \\u00XX',
}

export const jsonReason = (name: string): string => reasons[name] ?? 'it is no JSON'

/** `called`: how messages call the text. */
export const noJsonMessage = (
  called: string,
  { line, column, reason }: TextPlace & { reason: string },
): string => `${called} is no JSON: at line ${line}, column ${column} ${reason}.`
