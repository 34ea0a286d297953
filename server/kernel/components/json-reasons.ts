// Why a text is not valid JSON, by the name of the parser's error.
import type { TextPosition } from './text-position.ts'

const reasons: Record<string, string> = {
  InvalidSymbol: 'there is an unknown word; put text in double quotes',
  InvalidNumberFormat: 'a number is not a valid JSON number',
  PropertyNameExpected:
    'a property name in double quotes is missing; remove the comma after the last property',
  ValueExpected: 'a value is missing; remove the comma after the last item',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'there is text after the end of the component',
  InvalidCommentToken: 'there is a comment, which JSON does not allow',
  UnexpectedEndOfComment: 'there is a comment, which JSON does not allow',
  UnexpectedEndOfString: 'a closing quote is missing',
  UnexpectedEndOfNumber: 'a number is incomplete',
  InvalidUnicode: 'a \\u escape does not have four hexadecimal digits',
  InvalidEscapeCharacter: 'there is a backslash before a character that JSON does not escape',
  InvalidCharacter: 'there is a control character in a text; write it as \\n, \\t or \\u00XX',
}

export const jsonErrorReason = (name: string): string => reasons[name] ?? 'it is not valid JSON'

/** `called`: the subject of the message, such as "The draft". */
export const invalidJsonMessage = (
  called: string,
  { line, column, reason }: TextPosition & { reason: string },
): string => `${called} is not valid JSON: at line ${line}, column ${column} ${reason}.`
