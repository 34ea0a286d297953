// The calc functions and virtual formulas behind an expression, compiled once each and kept for one view.
import type { CalcFunctionBody } from '../components/calc-function/body.ts'
import type { ComponentView } from '../components/view.ts'
import { checkExpression } from './check.ts'
import { toRun, type Run } from './evaluate.ts'
import { fieldOf, scopeOf } from './names.ts'
import { isTree, parseExpression } from './parse.ts'
import type { ExprProblem } from './problem.ts'
import { noReads, readsOf, type DeepReads, type Reads } from './reads.ts'
import { walk, type Typed } from './typed.ts'

export interface LinkedFunction {
  problems: ExprProblem[]
  reads: Reads
  /** Null where the function does not compile. */
  run: Run | null
}

/** Holds for exactly one view; a caller that compiles many expressions passes the same one to each. */
export interface Library {
  readonly view: ComponentView
  readonly functions: Map<string, LinkedFunction>
  readonly formulas: Map<string, Reads>
  /** Functions that are being compiled, outermost first. */
  readonly open: string[]
  readonly openFormulas: Set<string>
}

export function libraryOf(view: ComponentView): Library {
  return { view, functions: new Map(), formulas: new Map(), open: [], openFormulas: new Set() }
}

/** The function compiled; `cycle` while it is being compiled; null where there is none of that key. */
export function linkFunction(library: Library, key: string): LinkedFunction | 'cycle' | null {
  const known = library.functions.get(key)
  if (known !== undefined) return known
  if (library.open.includes(key)) return 'cycle'
  const body = library.view.get('calc_function', key)?.body
  if (body === undefined) return null
  library.open.push(key)
  const linked = compileFunction(library, key, body)
  library.open.pop()
  library.functions.set(key, linked)
  return linked
}

function compileFunction(
  library: Library,
  key: string,
  { expression, params, returns }: CalcFunctionBody,
): LinkedFunction {
  const ast = parseExpression(expression)
  if (!isTree(ast)) return { problems: [ast], reads: noReads, run: null }
  const scope = scopeOf({ kind: 'calc_function', key, params })
  const { tree, problems } = checkExpression(expression, ast, scope, library.view, returns)
  const all = [...problems, ...linkProblems(library, tree)]
  const reads = readsOf(tree, deepReads(library))
  return { problems: all, reads, run: all.length > 0 ? null : runOf(library, tree, expression, key) }
}

export function runOf(library: Library, tree: Typed, source: string, calcFunction: string | null): Run {
  return toRun(tree, {
    place: { source, calcFunction },
    runOf: (name) => (linkFunction(library, name) as LinkedFunction).run!,
  })
}

/** Calls of functions that need themselves, or that do not compile. */
export function linkProblems(library: Library, tree: Typed): ExprProblem[] {
  const problems: ExprProblem[] = []
  for (const node of walk(tree)) {
    if (node.op !== 'calc') continue
    const linked = linkFunction(library, node.function)
    if (linked === 'cycle') {
      const chain = [...library.open.slice(library.open.indexOf(node.function)), node.function].join(
        ' calls ',
      )
      problems.push({
        code: 'expr.cycle',
        message: `Calc functions cannot need themselves: ${chain}.`,
        ...node.name,
      })
    } else if (linked !== null && linked.problems.length > 0) {
      const [first] = linked.problems
      problems.push({
        code: 'expr.function',
        message: `Calc function ${node.function} does not compile: ${first!.message}`,
        ...node.name,
      })
    }
  }
  return problems
}

export function deepReads(library: Library): DeepReads {
  return {
    ofFunction: (name) => {
      const linked = linkFunction(library, name)
      return linked === 'cycle' || linked === null ? null : linked.reads
    },
    ofField: (object, field) => formulaReads(library, object, field),
  }
}

/** What a virtual formula field reads; null for any other field. A formula inside a cycle adds nothing again. */
export function formulaReads(library: Library, object: string, field: string): Reads | null {
  const formula = fieldOf(library.view, object, field)?.formula
  if (formula === undefined || formula.stored) return null
  const key = `${object}.${field}`
  const known = library.formulas.get(key)
  if (known !== undefined) return known
  if (library.openFormulas.has(key)) return null
  const ast = parseExpression(formula.expression)
  if (!isTree(ast)) return null
  library.openFormulas.add(key)
  const scope = scopeOf({ kind: 'virtual_formula', object, field })
  const reads = readsOf(
    checkExpression(formula.expression, ast, scope, library.view).tree,
    deepReads(library),
  )
  library.openFormulas.delete(key)
  library.formulas.set(key, reads)
  return reads
}
