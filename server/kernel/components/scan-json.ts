// Finds what JSON.parse does not report: a property that occurs twice, a number that it cannot represent exactly,
// nesting that is too deep for recursive readers, and objects with too many properties.
import type { FindingCode } from '../errors/finding-codes.ts'
import { maxNesting, maxProperties, tooDeepMessage, tooWideMessage } from './json-issues.ts'
import { pointer } from './pointer.ts'
import type { TextPosition } from './text-position.ts'

type JsonTextIssueKind = 'duplicate' | 'depth' | 'width' | 'number'

export interface JsonTextIssue<K extends JsonTextIssueKind = JsonTextIssueKind> {
  kind: K
  /** JSON pointer of the property, or of the value that is nested too deeply or is too long. */
  path: string
  /** Where it begins in the text, from 0. */
  offset: number
}

interface Level {
  /** Names so far; null in a list. */
  names: Set<string> | null
  /** The current place: a name, or an index. */
  at: string | number
}

const charCodes = {
  quote: 34,
  comma: 44,
  colon: 58,
  open: 91,
  backslash: 92,
  close: 93,
  openObject: 123,
  closeObject: 125,
}

/**
 * Reads the text once. It does not have to be JSON. Reading ends at nesting that is too deep, at an object that has too
 * many properties, or after `most` flaws.
 */
export function scanJson(text: string, most = Infinity): JsonTextIssue[] {
  const flaws: JsonTextIssue[] = []
  const levels: Level[] = []
  let level: Level | undefined
  let named = false
  for (let index = 0; index < text.length && flaws.length < most; index += 1) {
    switch (text.charCodeAt(index)) {
      case charCodes.quote: {
        const end = endOfString(text, index)
        if (end === -1) return flaws
        if (named && level?.names != null) {
          const name = nameOf(text.slice(index + 1, end))
          level.at = name
          if (level.names.has(name)) flaws.push({ kind: 'duplicate', path: pathOf(levels), offset: index })
          level.names.add(name)
          if (level.names.size > maxProperties)
            return [...flaws, { kind: 'width', path: pathOf(levels), offset: index }]
        }
        index = end
        break
      }
      case charCodes.comma:
        if (typeof level?.at === 'number') level.at += 1
        else named = true
        break
      case charCodes.colon:
        named = false
        break
      case charCodes.open:
      case charCodes.openObject: {
        if (levels.length === maxNesting)
          return [...flaws, { kind: 'depth', path: pathOf(levels.slice(0, 3)), offset: index }]
        named = text.charCodeAt(index) === charCodes.openObject
        level = named ? { names: new Set(), at: '' } : { names: null, at: 0 }
        levels.push(level)
        break
      }
      case charCodes.close:
      case charCodes.closeObject:
        levels.pop()
        level = levels.at(-1)
        named = false
        break
      default: {
        if (!isNumeral(text.charCodeAt(index))) break
        const end = endOfNumber(text, index)
        if (!isKept(text.slice(index, end)))
          flaws.push({ kind: 'number', path: pathOf(levels), offset: index })
        index = end - 1
      }
    }
  }
  return flaws
}

/** A digit, or a minus. */
function isNumeral(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 45
}

const numeral = /[-+.0-9eE]*/y

function endOfNumber(text: string, start: number): number {
  numeral.lastIndex = start
  numeral.test(text)
  return numeral.lastIndex
}

/** Longer numerals are not compared digit by digit. */
const mostDigits = 1000

/** Reports whether reading keeps a number: 1.10 becomes 1.1, which is equal, but 9007199254740993 becomes a different number. */
function isKept(token: string): boolean {
  if (token.length <= 15 && !/[eE]/.test(token)) return true
  if (token.length > mostDigits) return false
  const read = Number(token)
  return Number.isNaN(read) || sameNumber(token, String(read))
}

function sameNumber(a: string, b: string): boolean {
  const [one, other] = [scientific(a), scientific(b)]
  return one !== null && other !== null && one.digits === other.digits && one.exponent === other.exponent
}

/** The significant digits, and the power of ten of the last one; the signs never differ. Null if it is not a number. */
function scientific(text: string): { digits: string; exponent: number } | null {
  const match = /^-?(\d+)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(text)
  if (match === null) return null
  const [, whole = '', part = '', power = '0'] = match
  const all = (whole + part).replace(/^0+/, '')
  const digits = all.replace(/0+$/, '')
  if (digits === '') return { digits, exponent: 0 }
  return { digits, exponent: Number(power) - part.length + all.length - digits.length }
}

export const jsonTextIssueCodes = {
  depth: 'body.range',
  width: 'body.range',
  duplicate: 'body.duplicate_property',
  number: 'body.number',
} as const satisfies Record<JsonTextIssueKind, FindingCode>

/** Whether reading ended there: the text is not read, because its value could take very long to check. */
export const endsReading = ({ kind }: JsonTextIssue): boolean => kind === 'depth' || kind === 'width'

/** Not for readers that keep every digit of a number. */
export const isStructural = (
  flaw: JsonTextIssue,
): flaw is JsonTextIssue<Exclude<JsonTextIssueKind, 'number'>> => flaw.kind !== 'number'

/** Describes what is wrong and how to fix it. `again` is the place of the second of two properties, if known. */
export function jsonTextIssueMessage({ kind, path }: JsonTextIssue, again: TextPosition | null): string {
  if (kind === 'depth') return tooDeepMessage
  const name = `"${path.slice(path.lastIndexOf('/') + 1)}"`
  if (kind === 'width') return `${name} ${tooWideMessage}`
  if (kind === 'number')
    return `${name} is a number with more digits than JSON can represent exactly, so its value would change. Write it in quotes, or with at most 15 digits.`
  const place = again === null ? '' : `, again at line ${again.line}, column ${again.column}`
  return `${name} occurs twice in the same object${place}. Keep one of the two.`
}

/** Returns the closing quote of the string that opens at `start`, or -1. Reads each character once, even if many are escaped. */
function endOfString(text: string, start: number): number {
  const quote = text.indexOf('"', start + 1)
  let at = quote
  while (text.charCodeAt(at - 1) === charCodes.backslash) at -= 1
  if (at === quote) return quote
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === charCodes.backslash) at += 1
    else if (code === charCodes.quote) return at
  }
  return -1
}

/** `raw` is the text between the quotes; two spellings of one name are one name. */
function nameOf(raw: string): string {
  if (!raw.includes('\\')) return raw
  try {
    return JSON.parse(`"${raw}"`) as string
  } catch {
    return raw
  }
}

function pathOf(levels: readonly Level[]): string {
  return pointer(...levels.map(({ at }) => String(at)))
}
