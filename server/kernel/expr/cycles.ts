// Finds cycles among calc functions and among formulas; each finding names the whole cycle
// (docs/reference/bindings-and-evidence.md).
import type { ComponentId } from '../components/component.ts'
import type { ExpressionSite } from '../components/expression-slot.ts'
import type { ComponentView } from '../components/view.ts'
import { checkedTree } from './compile.ts'
import { computedFields } from './computed-fields.ts'
import { chainText, cyclesOf } from './dependency-order.ts'
import { walk } from './typed-tree.ts'

export interface ExprCycle {
  code: 'expr.cycle'
  /** The component to fix: the first of the cycle in the order of keys. */
  component: ComponentId
  /** JSON pointer to the expression there. */
  path: string
  /** The names along the cycle, with the first repeated at the end. */
  chain: string[]
  message: string
}

/** Returns one finding per cycle among calc functions. */
export function functionCycles(view: ComponentView): ExprCycle[] {
  const edges = new Map<string, string[]>()
  for (const { key, body } of view.list('calc_function')) {
    const site: ExpressionSite = { kind: 'calc_function', key, params: body.params }
    edges.set(key, calledFunctions(body.expression, site, view))
  }
  return cyclesOf(edges).map((chain) => ({
    code: 'expr.cycle',
    component: `calc_function/${chain[0]!}`,
    path: '/body/expression',
    chain,
    message: `A calc function cannot depend on itself: ${chainText(chain, 'calls')}.`,
  }))
}

/**
 * Returns one finding per cycle among computed fields (formulas, stored or virtual, and roll-ups), across references
 * too.
 */
export function formulaCycles(view: ComponentView): ExprCycle[] {
  const fields = new Map(computedFields(view).map((field) => [`${field.object}.${field.field}`, field]))
  const edges = new Map([...fields].map(([name, { needs }]) => [name, needs]))
  return cyclesOf(edges).map((chain) => {
    const { object, path } = fields.get(chain[0]!)!
    const message = `A formula or roll-up cannot depend on itself: ${chainText(chain, 'reads')}.`
    return { code: 'expr.cycle', component: `object/${object}`, path, chain, message }
  })
}

/**
 * Returns one finding per cycle that contains a default. Only fields of the same record count: a default can read
 * other records, which exist.
 */
export function defaultCycles(view: ComponentView): ExprCycle[] {
  return [...view.list('object')].flatMap(({ key: object, body }) => {
    if (body.fields.every((field) => field.default === undefined)) return []
    const edges = new Map<string, string[]>()
    const pathOf = new Map<string, string>()
    body.fields.forEach((field, index) => {
      const { key, formula } = field
      if (field.default !== undefined) pathOf.set(key, `/body/fields/${index}/default`)
      const source = field.default ?? formula?.expression
      const kind =
        field.default !== undefined ? 'field_default' : formula?.stored ? 'stored_formula' : 'virtual_formula'
      if (source !== undefined) edges.set(key, ownFieldsRead(source, { kind, object, field: key }, view))
    })
    return cyclesOf(edges).flatMap((chain): ExprCycle[] => {
      const first = chain.find((key) => pathOf.has(key))
      if (first === undefined) return []
      const names = chain.map((key) => `${object}.${key}`)
      const message = `A default cannot depend on itself: ${chainText(names, 'reads')}.`
      const path = pathOf.get(first)!
      return [{ code: 'expr.cycle', component: `object/${object}`, path, chain: names, message }]
    })
  })
}

function ownFieldsRead(source: string, site: ExpressionSite, view: ComponentView): string[] {
  const tree = checkedTree(source, site, view)
  if (tree === null) return []
  return [...walk(tree)].flatMap((node) => (node.op === 'field' ? [node.steps[0]!.field] : []))
}

function calledFunctions(source: string, site: ExpressionSite, view: ComponentView): string[] {
  const tree = checkedTree(source, site, view)
  return tree === null ? [] : [...walk(tree)].flatMap((node) => (node.op === 'calc' ? [node.function] : []))
}
