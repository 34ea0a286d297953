// Parses CEL text into a syntax tree with ranges, within bounds that keep every later pass within the stack.
import { Environment, ParseError, type ASTNode } from '@marcbachmann/cel-js'
import type { ExprProblem } from './problem.ts'

export type { ASTNode }

const MAX_LENGTH = 20_000
const MAX_DEPTH = 400

/** A surrogate without its partner. */
const HALF_PAIR = /\p{Surrogate}/u

const environment = new Environment({ limits: { maxAstNodes: 10_000, maxDepth: 150 } })

/** Returns the tree of an expression, or the one problem that stops the parser. */
export function parseExpression(source: string): ASTNode | ExprProblem {
  if (source.trim() === '')
    return syntax('The expression is empty: write a value, for example amount * 0.19.', 0, source.length)
  if (source.length > MAX_LENGTH)
    return syntax(
      `The expression has ${source.length} characters; at most ${MAX_LENGTH} are allowed.`,
      MAX_LENGTH,
      source.length,
    )
  const half = source.search(HALF_PAIR)
  if (half >= 0)
    return syntax(
      'The expression contains half of a surrogate pair, which is not a character.',
      half,
      half + 1,
    )
  try {
    const tree = environment.parse(source).ast
    const deep = tooDeep(tree)
    return deep === null
      ? tree
      : syntax('The expression is nested too deeply: move a part into a calc function.', deep.start, deep.end)
  } catch (error) {
    if (error instanceof RangeError) return syntax('The expression is nested too deeply.', 0, source.length)
    if (!(error instanceof ParseError)) throw error
    const start = Math.min(error.range?.start ?? 0, source.length)
    const end = Math.max(start, Math.min(error.range?.end ?? source.length, source.length))
    return syntax(plain(error, source, start), start, end)
  }
}

/** Whether the result of `parseExpression` is a tree. */
export function isTree(result: ASTNode | ExprProblem): result is ASTNode {
  return 'op' in result
}

/** Returns the direct children of a node with any operator. */
export function childrenOf(node: ASTNode): ASTNode[] {
  const children: ASTNode[] = []
  const collect = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(collect)
    else if (isNode(part)) children.push(part)
  }
  collect(node.args)
  return children
}

function isNode(part: unknown): part is ASTNode {
  return typeof part === 'object' && part !== null && 'op' in part && 'args' in part
}

/** Finds the first node below the depth limit, without recursion. */
function tooDeep(root: ASTNode): ASTNode | null {
  const open: [ASTNode, number][] = [[root, 1]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, depth] = next
    if (depth > MAX_DEPTH) return node
    for (const child of childrenOf(node)) open.push([child, depth + 1])
  }
  return null
}

const tokenNames: Readonly<Record<string, string>> = {
  EOF: 'the end of the expression',
  DOT: 'a dot',
  COMMA: 'a comma',
  COLON: 'a colon',
  IDENTIFIER: 'a name',
  NUMBER: 'a number',
  STRING: 'a text',
  LPAREN: '"("',
  RPAREN: '")"',
  LBRACKET: '"["',
  RBRACKET: '"]"',
  LBRACE: '"{"',
  RBRACE: '"}"',
  QUESTION: '"?"',
  IN: 'the word "in"',
}

function plain(error: ParseError, source: string, start: number): string {
  const summary = error.summary
  const expected = /^Expected (\w+), got (\w+)/.exec(summary)
  if (expected !== null) return `Expected ${token(expected[1]!)} here, but found ${token(expected[2]!)}.`
  const unexpected = /^Unexpected token: (\w+)/.exec(summary)
  if (unexpected !== null)
    return unexpected[1] === 'EOF'
      ? 'The expression is incomplete: a value is missing here.'
      : `${capital(token(unexpected[1]!))} is not allowed here: a value is missing.`
  if (error.code === 'reserved_identifier')
    return `"${summary.split(': ')[1]}" is a reserved word and cannot be used as a name.`
  if (error.code === 'unexpected_character' && source[start] === '=')
    return 'A single "=" is not an operator: write == to compare.'
  if (error.code === 'unexpected_character') return `"${source[start] ?? ''}" is not allowed here.`
  if (error.code === 'limit_exceeded') return 'The expression is too large: move a part into a calc function.'
  return summary.endsWith('.') ? summary : `${summary}.`
}

function token(name: string): string {
  return tokenNames[name] ?? `"${name.toLowerCase()}"`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function syntax(message: string, start: number, end: number): ExprProblem {
  return { code: 'expr.syntax', message, start, end }
}
