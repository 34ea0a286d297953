// CEL text to a syntax tree with ranges, within bounds that keep every later pass off the end of the stack.
import { Environment, ParseError, type ASTNode } from '@marcbachmann/cel-js'
import type { ExprProblem } from './problem.ts'

export type { ASTNode }

const MAX_LENGTH = 20_000
const MAX_DEPTH = 400

/** A surrogate without its partner. */
const HALF_PAIR = /\p{Surrogate}/u

const environment = new Environment({ limits: { maxAstNodes: 10_000, maxDepth: 150 } })

/** The tree of an expression, or the one problem that stops the reading of it. */
export function parseExpression(source: string): ASTNode | ExprProblem {
  if (source.trim() === '')
    return syntax('The expression is empty: write a value, for example amount * 0.19.', 0, source.length)
  if (source.length > MAX_LENGTH)
    return syntax(
      `The expression has ${source.length} characters; at most ${MAX_LENGTH} are read.`,
      MAX_LENGTH,
      source.length,
    )
  const half = source.search(HALF_PAIR)
  if (half >= 0)
    return syntax('The expression holds half of a surrogate pair, which is no character.', half, half + 1)
  try {
    const tree = environment.parse(source).ast
    const deep = tooDeep(tree)
    return deep === null
      ? tree
      : syntax('The expression nests too deeply: move a part into a calc function.', deep.start, deep.end)
  } catch (error) {
    if (error instanceof RangeError) return syntax('The expression nests too deeply.', 0, source.length)
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

/** The direct children of a node, whatever its operator. */
export function childrenOf(node: ASTNode): ASTNode[] {
  const found: ASTNode[] = []
  const collect = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(collect)
    else if (isNode(part)) found.push(part)
  }
  collect(node.args)
  return found
}

function isNode(part: unknown): part is ASTNode {
  return typeof part === 'object' && part !== null && 'op' in part && 'args' in part
}

/** The first node below the bound, found without recursion. */
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
  EOF: 'the end',
  DOT: 'a point',
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
  const said = error.summary
  const expected = /^Expected (\w+), got (\w+)/.exec(said)
  if (expected !== null)
    return `${capital(token(expected[1]!))} is missing here; there is ${token(expected[2]!)} instead.`
  const unexpected = /^Unexpected token: (\w+)/.exec(said)
  if (unexpected !== null)
    return unexpected[1] === 'EOF'
      ? 'The expression ends too early: a value is missing here.'
      : `${capital(token(unexpected[1]!))} cannot stand here: a value is missing.`
  if (error.code === 'reserved_identifier')
    return `"${said.split(': ')[1]}" is a reserved word and cannot be a name here.`
  if (error.code === 'unexpected_character' && source[start] === '=')
    return 'A single "=" is not an operator: write == to compare.'
  if (error.code === 'unexpected_character') return `"${source[start] ?? ''}" cannot stand here.`
  if (error.code === 'limit_exceeded') return 'The expression is too large: move a part into a calc function.'
  return said.endsWith('.') ? said : `${said}.`
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
