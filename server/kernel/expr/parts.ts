// The parts of an expression that have a value of their own: fields, configuration, flags and calls. Editors show it.
import type { ExpressionSite } from '../components/expression-slot.ts'
import type { ComponentView } from '../components/view.ts'
import { checkedTree } from './compile.ts'
import { walk, type Span, type TypedExpression } from './typed-tree.ts'

const named: readonly TypedExpression['op'][] = ['field', 'member', 'config', 'flag', 'calc', 'builtin']

/** In source order; none if the text does not parse. Each is an expression at the same site. */
export function partsOfExpression(source: string, site: ExpressionSite, view: ComponentView): Span[] {
  const tree = checkedTree(source, site, view)
  if (tree === null) return []
  const parts = new Map<string, Span>()
  for (const node of walk(tree)) {
    const { start, end } = node
    if (named.includes(node.op) && !hasLocal(node)) parts.set(`${start} ${end}`, { start, end })
  }
  return [...parts.values()]
}

/** A variable of a macro has no value outside of the macro. */
function hasLocal(node: TypedExpression): boolean {
  for (const each of walk(node)) if (each.op === 'local') return true
  return false
}
