// Compiles the calc functions and virtual formulas behind an expression, once each, and keeps them for one view.
import { appendAll } from '../append-all.ts'
import type { ComponentView } from '../components/view.ts'
import { checkExpression } from './check.ts'
import { memberProblems } from './enum-members.ts'
import { compileNode, type Evaluator } from './evaluate.ts'
import { createMeter, type Meter } from './meter.ts'
import { fieldOf, scopeOf } from './names.ts'
import { chainText, dependencyOrder, shortestPath } from './dependency-order.ts'
import { childrenOf, isTree, parseExpression, type ASTNode } from './parse.ts'
import type { ExprProblem } from './problem.ts'
import { noReads, readsOf, type ReadsResolver, type Reads } from './reads.ts'
import { partsOf, walk, type TypedExpression } from './typed-tree.ts'

/** The maximum number of nested levels of evaluation, through calls; far below the limit of the stack. */
const MOST_LEVELS = 1000

export interface LinkedFunction {
  problems: ExprProblem[]
  reads: Reads
  /** Null if the function does not compile. */
  evaluator: Evaluator | null
  /** How many levels it nests, including the functions that it calls. */
  levels: number
}

/** Belongs to exactly one view; a caller that compiles many expressions passes the same library to each. */
export interface Library {
  readonly view: ComponentView
  readonly functions: Map<string, LinkedFunction>
  readonly formulas: Map<string, Reads | null>
  /** The functions that a function calls, and the virtual formulas that a formula reads. */
  readonly dependencies: Map<string, readonly string[]>
  /** The function whose own expression is being compiled; every call to it is a cycle. */
  currentFunction: string | null
  /** What is being compiled in order: a name that is not known by then is part of a cycle. */
  readonly inProgress: Set<'functions' | 'formulas'>
  /** The remaining budget for the constants of the expression being compiled and of the functions that it calls. */
  folding: Meter
}

export function libraryOf(view: ComponentView): Library {
  return {
    view,
    functions: new Map(),
    formulas: new Map(),
    dependencies: new Map(),
    currentFunction: null,
    inProgress: new Set(),
    folding: createMeter(),
  }
}

/** Returns the compiled function; `cycle` if it needs what is being compiled; null if no function has that key. */
export function linkFunction(library: Library, key: string): LinkedFunction | 'cycle' | null {
  if (library.currentFunction === key) return 'cycle'
  const known = library.functions.get(key)
  if (known !== undefined) return known
  if (!library.view.has('calc_function', key)) return null
  if (library.inProgress.has('functions')) return 'cycle'
  const isKnown = (name: string): boolean => name === library.currentFunction || library.functions.has(name)
  library.inProgress.add('functions')
  for (const name of dependencyOrder(key, (each) => callsOf(library, each), isKnown))
    library.functions.set(name, compileFunction(library, name))
  library.inProgress.delete('functions')
  return library.functions.get(key)!
}

function callsOf(library: Library, key: string): readonly string[] {
  return dependenciesOf(library, `calc_function/${key}`, () => {
    const ast = parseExpression(library.view.get('calc_function', key)?.body.expression ?? '')
    return isTree(ast) ? calledNames(ast).filter((name) => library.view.has('calc_function', name)) : []
  })
}

function dependenciesOf(library: Library, key: string, find: () => readonly string[]): readonly string[] {
  const known = library.dependencies.get(key)
  if (known !== undefined) return known
  const needs = [...new Set(find())]
  library.dependencies.set(key, needs)
  return needs
}

function calledNames(root: ASTNode): string[] {
  const names: string[] = []
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.op === 'call') names.push(node.args[0])
    appendAll(open, childrenOf(node))
  }
  return names
}

function compileFunction(library: Library, key: string): LinkedFunction {
  const { expression, params, returns } = library.view.get('calc_function', key)!.body
  const ast = parseExpression(expression)
  if (!isTree(ast)) return { problems: [ast], reads: noReads, evaluator: null, levels: 0 }
  const site = { kind: 'calc_function' as const, key, params }
  const { tree, problems } = checkExpression(expression, ast, scopeOf(site), library.view, returns)
  const linked = linkProblems(library, tree, key)
  const all = [...problems, ...linked.problems, ...memberProblems(tree, site, library.view)]
  const reads = readsOf(tree, readsResolverOf(library))
  const run = all.length > 0 ? null : evaluatorOf(library, tree, expression, key)
  // A function that does not compile is reported at each call.
  return { problems: all, reads, evaluator: run, levels: all.length > 0 ? 0 : linked.levels }
}

export function evaluatorOf(
  library: Library,
  tree: TypedExpression,
  source: string,
  calcFunction: string | null,
): Evaluator {
  return compileNode(tree, {
    place: { source, calcFunction },
    evaluatorOf: (name) => (linkFunction(library, name) as LinkedFunction).evaluator!,
    folding: library.folding,
  })
}

/** Reports calls of functions that need themselves, do not compile or nest too deeply, and how deep the tree nests. */
export function linkProblems(
  library: Library,
  tree: TypedExpression,
  calcFunction: string | null,
): { problems: ExprProblem[]; levels: number } {
  const problems: ExprProblem[] = []
  for (const node of walk(tree)) {
    if (node.op !== 'calc') continue
    const linked = linkFunction(library, node.function)
    if (linked === 'cycle') problems.push(cycleProblem(library, node, calcFunction ?? node.function))
    else if (linked !== null && linked.problems.length > 0) {
      const [first] = linked.problems
      // Along a chain of calls, the message names the function that has the fault.
      const message =
        first!.code === 'expr.function'
          ? first!.message
          : `Calc function ${node.function} does not compile: ${first!.message}`
      problems.push({ code: 'expr.function', message, ...node.name })
    }
  }
  const { levels, call } = levelsOf(tree, library)
  if (levels > MOST_LEVELS && call !== null) problems.push(tooDeep(call, levels))
  return { problems, levels }
}

type CalcNode = Extract<TypedExpression, { op: 'calc' }>

function cycleProblem(library: Library, { function: called, name }: CalcNode, from: string): ExprProblem {
  const chain = chainText([from, ...shortestPath(called, from, (key) => callsOf(library, key))], 'calls')
  return { code: 'expr.cycle', message: `A calc function cannot depend on itself: ${chain}.`, ...name }
}

function tooDeep({ function: called, name }: CalcNode, levels: number): ExprProblem {
  const message =
    `${called} calls functions that call others, ${levels} levels deep; at most ${MOST_LEVELS} are allowed. ` +
    'Combine some of these functions.'
  return { code: 'expr.too_deep', message, ...name }
}

/** Returns the levels of a tree and the call that makes it that deep. */
function levelsOf(node: TypedExpression, library: Library): { levels: number; call: CalcNode | null } {
  let [levels, call]: [number, CalcNode | null] = [0, null]
  for (const part of partsOf(node)) {
    const below = levelsOf(part, library)
    if (below.levels > levels) [levels, call] = [below.levels, below.call]
  }
  const linked = node.op === 'calc' ? linkFunction(library, node.function) : null
  if (linked !== null && linked !== 'cycle' && node.op === 'calc' && linked.levels > levels)
    [levels, call] = [linked.levels, node]
  return { levels: levels + 1, call }
}

export function readsResolverOf(library: Library): ReadsResolver {
  return {
    ofFunction: (name) => {
      const linked = linkFunction(library, name)
      return linked === 'cycle' || linked === null ? null : linked.reads
    },
    ofField: (object, field) => formulaReads(library, object, field),
  }
}

/** Returns the reads of a virtual formula field; null for any other field. A formula in a cycle is counted once. */
export function formulaReads(library: Library, object: string, field: string): Reads | null {
  const key = `${object}.${field}`
  const known = library.formulas.get(key)
  if (known !== undefined) return known
  if (library.inProgress.has('formulas') || virtualFormula(library, key) === null) return null
  library.inProgress.add('formulas')
  const order = dependencyOrder(
    key,
    (each) => formulasIn(library, each),
    (each) => library.formulas.has(each),
  )
  for (const each of order) {
    const tree = formulaTree(library, each)
    library.formulas.set(each, tree === null ? null : readsOf(tree, readsResolverOf(library)))
  }
  library.inProgress.delete('formulas')
  return library.formulas.get(key)!
}

function formulasIn(library: Library, key: string): readonly string[] {
  return dependenciesOf(library, `formula/${key}`, () => {
    const tree = formulaTree(library, key)
    return tree === null
      ? []
      : [...walk(tree)].flatMap((node) =>
          node.op === 'field'
            ? node.steps
                .map((step) => `${step.object}.${step.field}`)
                .filter((each) => virtualFormula(library, each) !== null)
            : [],
        )
  })
}

function formulaTree(library: Library, key: string): TypedExpression | null {
  const formula = virtualFormula(library, key)
  const ast = formula === null ? null : parseExpression(formula.expression)
  if (formula === null || ast === null || !isTree(ast)) return null
  const { object, field } = formula
  const scope = scopeOf({ kind: 'virtual_formula', object, field })
  return checkExpression(formula.expression, ast, scope, library.view).tree
}

function virtualFormula(
  { view }: Library,
  key: string,
): { object: string; field: string; expression: string } | null {
  const [object = '', field = ''] = key.split('.')
  const formula = fieldOf(view, object, field)?.formula
  return formula === undefined || formula.stored ? null : { object, field, expression: formula.expression }
}
