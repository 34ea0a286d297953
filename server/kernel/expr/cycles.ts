// Cycles among calc functions and among formulas: each names the whole way round (completions 3).
import type { ComponentId } from '../components/component.ts'
import type { ExpressionSite } from '../components/expression-slot.ts'
import type { ComponentView } from '../components/view.ts'
import { checkedTree } from './compile.ts'
import { chainText } from './needed-first.ts'
import { walk } from './typed.ts'

export interface ExprCycle {
  code: 'expr.cycle'
  /** The component to mend: where the cycle begins in the order of keys. */
  component: ComponentId
  /** JSON pointer to the expression there. */
  path: string
  /** The names round the cycle, the first again at the end. */
  chain: string[]
  message: string
}

/** One finding a cycle among calc functions. */
export function functionCycles(view: ComponentView): ExprCycle[] {
  const edges = new Map<string, string[]>()
  for (const { key, body } of view.list('calc_function')) {
    const site: ExpressionSite = { kind: 'calc_function', key, params: body.params }
    edges.set(key, called(body.expression, site, view))
  }
  return cyclesOf(edges).map((chain) => ({
    code: 'expr.cycle',
    component: `calc_function/${chain[0]!}`,
    path: '/body/expression',
    chain,
    message: `Calc functions cannot need themselves: ${chainText(chain, 'calls')}.`,
  }))
}

/** One finding a cycle among formula fields, stored or virtual, also across references. */
export function formulaCycles(view: ComponentView): ExprCycle[] {
  const edges = new Map<string, string[]>()
  const paths = new Map<string, { object: string; index: number }>()
  for (const { key: object, body } of view.list('object'))
    body.fields.forEach(({ key: field, formula }, index) => {
      if (formula === undefined) return
      const site: ExpressionSite = {
        kind: formula.stored ? 'stored_formula' : 'virtual_formula',
        object,
        field,
      }
      edges.set(`${object}.${field}`, fieldsRead(formula.expression, site, view))
      paths.set(`${object}.${field}`, { object, index })
    })
  return cyclesOf(edges).map((chain) => {
    const { object, index } = paths.get(chain[0]!)!
    return {
      code: 'expr.cycle',
      component: `object/${object}`,
      path: `/body/fields/${index}/formula/expression`,
      chain,
      message: `Formulas cannot need themselves: ${chainText(chain, 'reads')}.`,
    }
  })
}

function called(source: string, site: ExpressionSite, view: ComponentView): string[] {
  const tree = checkedTree(source, site, view)
  return tree === null ? [] : [...walk(tree)].flatMap((node) => (node.op === 'calc' ? [node.function] : []))
}

function fieldsRead(source: string, site: ExpressionSite, view: ComponentView): string[] {
  const tree = checkedTree(source, site, view)
  if (tree === null) return []
  return [...walk(tree)].flatMap((node) =>
    node.op === 'field' ? node.steps.map(({ object, field }) => `${object}.${field}`) : [],
  )
}

/** Depth-first, without recursion: a chain of functions may be longer than the stack. */
function cyclesOf(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>()
  const cycles: string[][] = []
  for (const root of [...edges.keys()].sort()) {
    if (done.has(root)) continue
    const path: string[] = [root]
    const open = [[...(edges.get(root) ?? [])]]
    while (path.length > 0) {
      const next = open.at(-1)!.shift()
      if (next === undefined) {
        open.pop()
        done.add(path.pop()!)
      } else if (path.includes(next)) cycles.push([...path.slice(path.indexOf(next)), next])
      else if (!done.has(next) && edges.has(next)) {
        path.push(next)
        open.push([...edges.get(next)!])
      }
    }
  }
  return cycles
}
