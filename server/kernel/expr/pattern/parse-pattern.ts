// Parses the text of a pattern into a tree: RE2's syntax without captures, flags and named classes.

import { codePoints, singleCodePoint, complementOf, type CodePoints } from './code-points.ts'

export type PatternNode =
  | { kind: 'char'; of: CodePoints }
  | { kind: 'edge'; edge: 'start' | 'end' | 'word' | 'not_word' }
  | { kind: 'sequence'; items: PatternNode[] }
  | { kind: 'either'; options: PatternNode[] }
  | { kind: 'repeat'; of: PatternNode; min: number; max: number | null }

/** Why a pattern is refused. `index` counts UTF-16 code units from the start of the pattern, as all positions do. */
export class PatternError extends Error {
  override readonly name = 'PatternFault'
  readonly index: number

  constructor(message: string, index: number) {
    super(message)
    this.index = index
  }
}

interface Reader {
  readonly chars: readonly string[]
  at: number
  depth: number
}

const MAX_COUNT = 1000
const MAX_DEPTH = 100

/** @throws PatternFault */
export function parsePattern(pattern: string): PatternNode {
  const reader: Reader = { chars: Array.from(pattern), at: 0, depth: 0 }
  try {
    const node = either(reader)
    if (reader.at === reader.chars.length) return node
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    throw new PatternError(error.message, unitsTo(reader, error.index))
  }
  const index = unitsTo(reader, reader.at)
  throw new PatternError('A ")" has no matching "(": write \\) for the character.', index)
}

function unitsTo({ chars }: Reader, at: number): number {
  return chars.slice(0, at).join('').length
}

function either(reader: Reader): PatternNode {
  const options = [sequence(reader)]
  while (take(reader, '|')) options.push(sequence(reader))
  return options.length === 1 ? options[0]! : { kind: 'either', options }
}

function sequence(reader: Reader): PatternNode {
  const items: PatternNode[] = []
  for (let next = peek(reader); next !== undefined && next !== '|' && next !== ')'; next = peek(reader))
    items.push(parseRepetition(reader, atom(reader)))
  return { kind: 'sequence', items }
}

function parseRepetition(reader: Reader, of: PatternNode): PatternNode {
  const at = reader.at
  const count = quantifier(reader)
  if (count === null) return of
  take(reader, '?') // lazy or greedy makes no difference to a test
  if (quantifier(reader) !== null)
    throw new PatternError('Two counts follow each other: put the first part in a group.', at)
  return { kind: 'repeat', of, ...count }
}

function quantifier(reader: Reader): { min: number; max: number | null } | null {
  if (take(reader, '*')) return { min: 0, max: null }
  if (take(reader, '+')) return { min: 1, max: null }
  if (take(reader, '?')) return { min: 0, max: 1 }
  if (peek(reader) !== '{') return null
  const rest = reader.chars.slice(reader.at, reader.at + 12).join('')
  const match = /^\{([0-9]{1,4})(,([0-9]{0,4}))?\}/.exec(rest)
  if (match === null)
    throw new PatternError('A count is written {2}, {2,} or {2,5}; write \\{ for the character.', reader.at)
  const min = Number(match[1])
  const max = match[2] === undefined ? min : match[3] === '' ? null : Number(match[3])
  if (min > MAX_COUNT || (max !== null && (max > MAX_COUNT || max < min)))
    throw new PatternError(`A count is at most ${MAX_COUNT}, with the smaller number first.`, reader.at)
  reader.at += match[0].length
  return { min, max }
}

function atom(reader: Reader): PatternNode {
  const at = reader.at
  const char = reader.chars[reader.at++]!
  switch (char) {
    case '.':
      return { kind: 'char', of: complementOf(singleCodePoint('\n')) }
    case '^':
      return { kind: 'edge', edge: 'start' }
    case '$':
      return { kind: 'edge', edge: 'end' }
    case '(':
      return group(reader, at)
    case '[':
      return { kind: 'char', of: characterClass(reader, at) }
    case '\\':
      return parseEscape(reader, at)
    case '*':
    case '+':
    case '?':
    case '{':
      throw new PatternError(`"${char}" has nothing to repeat: write \\${char} for the character.`, at)
    default:
      return { kind: 'char', of: singleCodePoint(char) }
  }
}

function group(reader: Reader, at: number): PatternNode {
  if (take(reader, '?') && !take(reader, ':'))
    throw new PatternError('Only plain groups and (?: ) are supported: no look-around, names or flags.', at)
  if (++reader.depth > MAX_DEPTH) throw new PatternError('The groups are nested too deeply.', at)
  const inner = either(reader)
  reader.depth--
  if (!take(reader, ')')) throw new PatternError('A group is not closed: add a ")".', at)
  return inner
}

function parseEscape(reader: Reader, at: number): PatternNode {
  const char = reader.chars[reader.at++]
  if (char === 'b') return { kind: 'edge', edge: 'word' }
  if (char === 'B') return { kind: 'edge', edge: 'not_word' }
  return { kind: 'char', of: escapedClass(char, at) }
}

const digits = codePoints([[48, 57]])
const wordCharacters = codePoints([
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
])
// RE2's \s has no vertical tab.
const whitespace = codePoints([
  [9, 10],
  [12, 13],
  [32, 32],
])

function escapedClass(char: string | undefined, at: number): CodePoints {
  switch (char) {
    case undefined:
      throw new PatternError('The pattern ends in a single backslash: write \\\\ for the character.', at)
    case 'd':
      return digits
    case 'D':
      return complementOf(digits)
    case 'w':
      return wordCharacters
    case 'W':
      return complementOf(wordCharacters)
    case 's':
      return whitespace
    case 'S':
      return complementOf(whitespace)
    case 't':
      return singleCodePoint('\t')
    case 'n':
      return singleCodePoint('\n')
    case 'r':
      return singleCodePoint('\r')
  }
  if (/[A-Za-z0-9]/.test(char)) throw new PatternError(`"\\${char}" is not supported in a pattern.`, at)
  return singleCodePoint(char)
}

function characterClass(reader: Reader, at: number): CodePoints {
  const negated = take(reader, '^')
  const ranges: (readonly [number, number])[] = []
  for (let first = true; first || peek(reader) !== ']'; first = false) {
    const start = reader.at
    const [single, item] = classItem(reader, at)
    if (single !== null && peek(reader) === '-' && ![undefined, ']'].includes(reader.chars[reader.at + 1])) {
      reader.at++
      ranges.push(between(single, classItem(reader, at)[0], start, reader))
    } else ranges.push(...item)
  }
  reader.at++
  const listed = codePoints(ranges)
  return negated ? complementOf(listed) : listed
}

/** Reads one item of a class; the first result is its character, or null if the item is a class of characters. */
function classItem(reader: Reader, at: number): [string | null, CodePoints] {
  const start = reader.at
  const char = reader.chars[reader.at++]
  if (char === undefined) throw new PatternError('A "[" is not closed: add a "]".', at)
  if (char === '[') refuseNamedClass(reader, start)
  if (char !== '\\') return [char, singleCodePoint(char)]
  const escape = reader.chars[reader.at++]
  const item = escapedClass(escape, start)
  return [/[dDwWsS]/.test(escape!) ? null : (controls[escape!] ?? escape!), item]
}

/** Refuses RE2's named classes, such as `[[:alpha:]]`. */
function refuseNamedClass(reader: Reader, start: number): void {
  const named = /^\[:(\^?\w*):\]/.exec(reader.chars.slice(start, start + 20).join(''))
  if (named === null) return
  const instead = namedClasses[named[1]!]
  const way = instead === undefined ? 'list its characters' : `write ${instead} instead`
  throw new PatternError(`"${named[0]}" is not supported in a pattern: ${way}.`, start)
}

const controls: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' }

/** What to write instead of a named class. */
const namedClasses: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  word: '\\w',
  space: '\\s',
  xdigit: '0-9a-fA-F',
}

function between(first: string, last: string | null, at: number, reader: Reader): [number, number] {
  const [from, to] = [first.codePointAt(0)!, last?.codePointAt(0) ?? -1]
  if (from <= to) return [from, to]
  const written = reader.chars.slice(at, reader.at).join('')
  throw new PatternError(`"${written}" is not a range of characters.`, at)
}

function peek(reader: Reader): string | undefined {
  return reader.chars[reader.at]
}

function take(reader: Reader, char: string): boolean {
  if (reader.chars[reader.at] !== char) return false
  reader.at++
  return true
}
