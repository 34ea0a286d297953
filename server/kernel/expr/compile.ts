// Compiles one expression from text to a program: parse, check, reads, rules of the site, closures.
import type { ExpressionSite, ExprType, ParamType } from '../components/expression-slot.ts'
import type { ComponentView } from '../components/view.ts'
import { truncateMessage } from '../errors/truncate-input.ts'
import { checkExpression } from './check.ts'
import type { EvalInput } from './evaluate.ts'
import { readsResolverOf, libraryOf, linkProblems, evaluatorOf, type Library } from './library.ts'
import { createMeter, chargeResult } from './meter.ts'
import { scopeOf } from './names.ts'
import { isTree, parseExpression } from './parse.ts'
import type { ExprProblem } from './problem.ts'
import { noReads, readsOf, type Reads } from './reads.ts'
import { memberProblems, namedMembers, type NamedMember } from './enum-members.ts'
import { pushdownProblems } from './pushdown.ts'
import { typeOfResult } from './result-field.ts'
import { resultProblems } from './result-rules.ts'
import { siteRules } from './site-rules.ts'
import { walk, type TypedExpression } from './typed-tree.ts'
import type { ExprValue } from './values.ts'

export interface Program {
  readonly source: string
  readonly type: ExprType
  readonly reads: Reads
  /** The field of the reading record with the as-of date; null if no date is needed or it is passed explicitly. */
  readonly asOfField: { object: string; field: string } | null
  /** Whether a dated set is read, directly or through a calc function. */
  readonly dated: boolean
  /**
   * @throws AlmanacError `expression.evaluation` or `expression.too_costly` with the place; errors thrown by the
   * input are passed on.
   */
  evaluate(input: EvalInput): ExprValue
}

export type CompileResult =
  | { ok: true; program: Program; problems: readonly []; reads: Reads }
  | { ok: false; problems: ExprProblem[]; reads: Reads }

/**
 * Compiles an expression for its site over one view. Every problem is reported, in the order of the source.
 * To compile many expressions over one view, pass one `library`: calc functions then compile once.
 */
export function compileExpression(
  source: string,
  site: ExpressionSite,
  view: ComponentView,
  expects: ParamType | 'any' = 'any',
  library: Library = libraryOf(view),
): CompileResult {
  const ast = parseExpression(source)
  if (!isTree(ast)) return { ok: false, problems: [ast], reads: noReads }
  library.folding = createMeter()
  const scope = scopeOf(site)
  const wanted = expects === 'any' ? (typeOfResult(site, view) ?? 'any') : expects
  const { tree, problems } = checkExpression(source, ast, scope, view, wanted)
  const isFunction = site.kind === 'calc_function'
  if (isFunction) library.currentFunction = site.key
  const linking = linkProblems(library, tree, isFunction ? site.key : null).problems
  const reads = readsOf(tree, readsResolverOf(library))
  const rules = siteRules(tree, scope, library)
  library.currentFunction = null
  const results = [...resultProblems(tree, site, view), ...memberProblems(tree, site, view)]
  const found = [...problems, ...linking, ...rules.problems, ...results]
  const pushdown = pushdownProblems(tree, source, { site, library, compiles: found.length === 0 })
  const all = [...found, ...pushdown].sort((a, b) => a.start - b.start || a.end - b.end)
  if (all.length > 0) return { ok: false, problems: all.map(withoutLongText), reads }
  const { dated, asOfField } = rules
  const params = scope.paramsArePassed ? scope.params.map(({ key }) => [key]) : []
  const run = evaluatorOf(library, tree, source, isFunction ? site.key : null)
  const program: Program = {
    source,
    type: tree.type,
    reads,
    dated,
    asOfField,
    evaluate: (input) => {
      const meter = createMeter()
      const value = run({ input, locals: params.map((path) => input.field(path)), meter })
      chargeResult(value, meter, { source, calcFunction: isFunction ? site.key : null }, tree)
      return value
    },
  }
  return { ok: true, program, problems: [], reads }
}

/** Letters of a longer suggestion would be most of the source again. */
const maxSuggestion = 1000

/** Names and texts of the source can be as long as the source. */
function withoutLongText({ suggestion, ...problem }: ExprProblem): ExprProblem {
  const shown = { ...problem, message: truncateMessage(problem.message) }
  return suggestion === undefined || suggestion.length > maxSuggestion ? shown : { ...shown, suggestion }
}

/** Returns only the checked tree, for tools that work on names and places; null if the text does not parse. */
export function checkedTree(
  source: string,
  site: ExpressionSite,
  view: ComponentView,
): TypedExpression | null {
  const ast = parseExpression(source)
  return isTree(ast) ? checkExpression(source, ast, scopeOf(site), view).tree : null
}

/** Returns the members of value sets that an expression names; none if the text does not parse. */
export function namedMembersOf(source: string, site: ExpressionSite, view: ComponentView): NamedMember[] {
  const tree = checkedTree(source, site, view)
  return tree === null ? [] : namedMembers(tree, site, view)
}

/** Returns the direct reads of an expression, even if it does not compile; none if the text does not parse. */
export function readsOfExpression(source: string, site: ExpressionSite, view: ComponentView): Reads {
  const tree = checkedTree(source, site, view)
  return tree === null ? noReads : readsOf(tree, { ofFunction: () => null, ofField: () => null })
}

/** A field that an expression reads: the keys of references, then of the field. */
export interface FieldPath {
  readonly path: readonly string[]
  /** `prior`: of the record as it was before the save. */
  readonly prior: boolean
}

/** What an expression reads itself; nothing if the text does not parse. */
export interface DirectReads {
  /** Each once. */
  paths: FieldPath[]
  /** Whether it reads a parameter or the result of a callout. */
  readsInputs: boolean
}

export function directReadsOf(source: string, site: ExpressionSite, view: ComponentView): DirectReads {
  const tree = checkedTree(source, site, view)
  const paths = new Map<string, FieldPath>()
  let readsInputs = false
  for (const node of tree === null ? [] : walk(tree)) {
    if (node.op === 'input') readsInputs = true
    if (node.op !== 'field') continue
    const path = node.steps.map(({ field }) => field)
    paths.set(`${node.prior ? 'prior ' : ''}${path.join('.')}`, { path, prior: node.prior })
  }
  return { paths: [...paths.values()], readsInputs }
}

/** Returns the fields that an expression reads, each once; none if the text does not parse. */
export const fieldPathsOf = (source: string, site: ExpressionSite, view: ComponentView): FieldPath[] =>
  directReadsOf(source, site, view).paths
