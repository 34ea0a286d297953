// Ranges of nodes. The parser leaves the parentheses around an operand out of its parent's range; this module adds them
// back, so a range is always a whole expression.
import type { ASTNode } from '../parse.ts'
import type { Span } from '../typed-tree.ts'

const simple: ReadonlySet<string> = new Set(['value', 'id', 'call', 'list', 'map'])

export function spanOf(node: ASTNode): Span {
  const { start, end, op } = node
  if (simple.has(op)) return { start, end }
  const { unopened, unclosed } = countUnbalanced(node.input, start, end)
  return {
    start: outwards(node.input, start, unopened, '(', -1),
    end: outwards(node.input, end, unclosed, ')', 1),
  }
}

/** Counts the parentheses in the range that have no partner in it. */
function countUnbalanced(source: string, start: number, end: number): { unopened: number; unclosed: number } {
  let [unopened, unclosed] = [0, 0]
  for (let i = start; i < end; i++) {
    const char = source[i]!
    if (char === '"' || char === "'") i = endOfText(source, i)
    else if (char === '/' && source[i + 1] === '/') i = endOfLine(source, i)
    else if (char === '(') unclosed++
    else if (char === ')' && unclosed > 0) unclosed--
    else if (char === ')') unopened++
  }
  return { unopened, unclosed }
}

function endOfText(source: string, open: number): number {
  const quote = source[open]!
  const triple = source.startsWith(quote.repeat(3), open)
  const raw = /[rR]/.test(source[open - 1] ?? '')
  for (let i = open + (triple ? 3 : 1); i < source.length; i++) {
    if (source[i] === '\\' && !raw) i++
    else if (source.startsWith(triple ? quote.repeat(3) : quote, i)) return triple ? i + 2 : i
  }
  return source.length
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf('\n', from)
  return end < 0 ? source.length : end
}

/** Returns the position beyond `count` more parentheses; `from` itself if anything else is in between. */
function outwards(source: string, from: number, count: number, paren: '(' | ')', step: -1 | 1): number {
  let at = from
  for (let remaining = count; remaining > 0;) {
    const next = step < 0 ? source[at - 1] : source[at]
    if (next === undefined || (next !== paren && !/\s/.test(next))) return from
    at += step
    if (next === paren) remaining--
  }
  return at
}
