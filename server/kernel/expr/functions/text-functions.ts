// Functions over text. Characters are code points; case mapping is Unicode's, the same in every locale.
import type { ExprType } from '../../components/expression-slot.ts'
import { compilePattern } from '../pattern/pattern.ts'
import { booleanType, decimalType, textType } from '../type-names.ts'
import type { BuiltIn } from './built-in.ts'
import { toWholeNumber } from './whole-number.ts'

const MAX_TEXT = 1_000_000_000

export const textFunctions: readonly BuiltIn[] = [
  test('contains', 'True if the text contains the other text.', 'name.contains("GmbH")', (text, other) =>
    text.includes(other),
  ),
  test(
    'startsWith',
    'True if the text starts with the other text.',
    'vat_number.startsWith("DE")',
    (text, other) => text.startsWith(other),
  ),
  test('endsWith', 'True if the text ends with the other text.', 'email.endsWith(".eu")', (text, other) =>
    text.endsWith(other),
  ),
  {
    ...test(
      'matches',
      'True if the pattern occurs in the text; ^ and $ anchor it to the ends. Patterns are regular (no look-around, no back-references) and run in linear time.',
      'vat_number.matches("^DE[0-9]{9}$")',
      (text, pattern) => compilePattern(pattern)(text),
    ),
  },
  method('lower', 'The text in lower case.', 'email.lower()', [], textType, (text) => text.toLowerCase()),
  method('upper', 'The text in upper case.', 'code.upper()', [], textType, (text) => text.toUpperCase()),
  method('trim', 'The text without whitespace at its ends.', 'name.trim()', [], textType, (text) =>
    text.trim(),
  ),
  {
    name: 'substring',
    form: 'method',
    overloads: [{ params: [textType, decimalType, decimalType], optional: 1, result: textType }],
    doc: 'The characters from a start position (the first is 0) up to, not including, an end position or the end of the text. Positions beyond the end give less text.',
    example: 'vat_number.substring(0, 2)',
    missing: 'missing',
    evaluate: ([text, start, end]) => {
      const from = toWholeNumber(start!, 'substring', 0, MAX_TEXT)
      const to = end === undefined ? undefined : toWholeNumber(end, 'substring', 0, MAX_TEXT)
      const first = unitOf(text as string, from)
      return (text as string).slice(first, to === undefined ? undefined : unitOf(text as string, to))
    },
  },
]

/** Returns where a code point begins, in UTF-16 code units; the end of the text if it is beyond it. */
function unitOf(text: string, codePoint: number): number {
  let unit = 0
  for (let left = codePoint; left > 0 && unit < text.length; left--)
    unit += text.codePointAt(unit)! > 0xffff ? 2 : 1
  return unit
}

function test(
  name: string,
  doc: string,
  example: string,
  evaluate: (text: string, other: string) => boolean,
): BuiltIn {
  return {
    name,
    form: 'method',
    overloads: [{ params: [textType, textType], result: booleanType }],
    doc: `${doc} A missing text gives false.`,
    example,
    missing: 'false',
    evaluate: ([text, other]) => evaluate(text as string, other as string),
  }
}

function method(
  name: string,
  doc: string,
  example: string,
  params: readonly ExprType[],
  result: ExprType,
  evaluate: (text: string) => string,
): BuiltIn {
  return {
    name,
    form: 'method',
    overloads: [{ params: [textType, ...params], result }],
    doc,
    example,
    missing: 'missing',
    evaluate: ([text]) => evaluate(text as string),
  }
}
