// Parses JSON without rounding its numbers: those that a double cannot hold become their digits.

/** A number as it is written, if it has more digits than a double holds. */
export class LongNumber {
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }
}

/** 15 digits are exact in a double. */
const mayRound = /[0-9][0-9.]{15}|[0-9][eE][+-]?[0-9]/

/** @throws SyntaxError if the text is not JSON */
export function parseExactJson(text: string): unknown {
  if (!mayRound.test(text)) return JSON.parse(text) as unknown
  return (JSON.parse as SourceParse)(text, (_, value, context) => {
    const source = context?.source
    return typeof value === 'number' && source !== undefined && mayRound.test(source)
      ? new LongNumber(source)
      : value
  })
}

/** `JSON.parse` with the source of each primitive value, which the library of TypeScript does not describe yet. */
type SourceParse = (
  text: string,
  revive: (key: string, value: unknown, context?: { source?: string }) => unknown,
) => unknown
