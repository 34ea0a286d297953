// The context that every part of the checker takes: the source, the metadata, the names and the list of problems.
import type { ExprType } from '../../components/expression-slot.ts'
import type { ComponentView } from '../../components/view.ts'
import { suggest } from '../../errors/suggest.ts'
import type { NameScope } from '../names.ts'
import type { ASTNode } from '../parse.ts'
import type { ExprProblem, ExprProblemCode } from '../problem.ts'
import { dynType } from '../type-names.ts'
import type { Span, TypedExpression } from '../typed-tree.ts'

export interface Local {
  name: string
  type: ExprType
}

export interface Checker {
  readonly source: string
  readonly view: ComponentView
  readonly scope: NameScope
  readonly problems: ExprProblem[]
  /** How many more parts the patterns of the expression can have together. */
  readonly patterns: { left: number }
  /** Visible variables; the slot of each is its index. */
  readonly locals: readonly Local[]
  /** Checks any node; the result can be a row. */
  readonly check: (checker: Checker, node: ASTNode) => TypedExpression
  /** Checks a node that must be a value: a row is refused, with a hint to read a field. */
  readonly value: (checker: Checker, node: ASTNode) => TypedExpression
}

export function reportProblem(
  checker: Checker,
  code: ExprProblemCode,
  at: Span,
  message: string,
  suggestion?: string,
): void {
  const problem: ExprProblem = { code, message, start: at.start, end: at.end }
  checker.problems.push(suggestion === undefined ? problem : { ...problem, suggestion })
}

/** Reports a problem and returns the error node that replaces the faulty part. */
export function reportMistake(
  checker: Checker,
  code: ExprProblemCode,
  at: Span,
  message: string,
  options: { suggestion?: string; node?: Span; parts?: readonly TypedExpression[]; credential?: string } = {},
): TypedExpression {
  reportProblem(checker, code, at, message, options.suggestion)
  const { start, end } = options.node ?? at
  const node = { op: 'error' as const, parts: options.parts ?? [], type: dynType, start, end }
  return options.credential === undefined ? node : { ...node, credential: options.credential }
}

/** Reports an unknown name: `… Did you mean "x"?`, with the nearest name as the suggestion. */
export function unknownName(
  checker: Checker,
  at: Span,
  message: string,
  writtenName: string,
  known: Iterable<string>,
  options: { node?: Span; parts?: readonly TypedExpression[] } = {},
): TypedExpression {
  const name = nearestName(checker.problems, writtenName, known)
  const full = name === null ? message : `${message} Did you mean "${name}"?`
  return reportMistake(checker, 'expr.unknown_name', at, full, { ...options, suggestion: name ?? undefined })
}

/** How many wrong names of one expression are compared with all known names; later ones get no suggestion. */
const MOST_MEANT = 50

/** Returns the nearest known name; null for names under three characters and after `MOST_MEANT` problems. */
export function nearestName(
  before: readonly ExprProblem[],
  writtenName: string,
  known: Iterable<string>,
): string | null {
  return writtenName.length < 3 || before.length >= MOST_MEANT ? null : suggest(writtenName, known)
}

export function textOf(checker: Checker, { start, end }: Span): string {
  return checker.source.slice(start, end)
}

/** Returns the text of a node as a receiver, in parentheses if its operators would bind differently without them. */
export function receiverText(checker: Checker, node: TypedExpression): string {
  const text = textOf(checker, node)
  return loose.has(node.op) ? `(${text})` : text
}

const loose: ReadonlySet<TypedExpression['op']> = new Set(['binary', 'and', 'or', 'not', 'negate', 'choose'])

/** True for the bare name of a root that no variable hides. */
export function isRoot(checker: Checker, node: ASTNode, root: 'config' | 'flag' | 'prior'): boolean {
  return node.op === 'id' && node.args === root && !checker.locals.some(({ name }) => name === root)
}

/** Finds the span of the name in `<receiver>.<name>(…)`: the parser keeps only the ends of the receiver. */
export function methodSpan(source: string, receiverEnd: number, name: string): Span {
  const between = /(?:[\s)]|\/\/[^\n]*)*\.(?:\s|\/\/[^\n]*)*/y
  between.lastIndex = receiverEnd
  between.test(source)
  const start = between.lastIndex
  return { start, end: start + name.length }
}
