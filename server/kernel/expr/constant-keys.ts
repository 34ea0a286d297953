// Finds the business keys that an expression names literally, `config.vat("DE")`, in the form in which entries store
// them (docs/reference/resolution-and-dates.md): removing the last entry of such a key breaks the read.
import type { ExpressionSlot } from '../components/expression-slot.ts'
import type { ComponentView } from '../components/view.ts'
import { isDecimal, negate } from '../decimal/decimal.ts'
import { checkedTree } from './compile.ts'
import { walk, type TypedExpression } from './typed-tree.ts'
import { valueToJson, type ExprValue } from './values.ts'

export interface ConstantKey {
  set: string
  key: string
}

export function constantKeysOf({ source, site }: ExpressionSlot, view: ComponentView): ConstantKey[] {
  const tree = checkedTree(source, site, view)
  return tree === null
    ? []
    : [...walk(tree)].flatMap((node) =>
        node.op === 'row' && node.key !== null
          ? keysIn(node.key).map((key) => ({ set: node.set, key: String(valueToJson(key)) }))
          : [],
      )
}

/** Returns the constants that a key can be; both branches of a choice. */
function keysIn(node: TypedExpression): ExprValue[] {
  switch (node.op) {
    case 'literal':
      return node.value === null ? [] : [node.value]
    case 'negate':
      return keysIn(node.of).map((value) => (isDecimal(value) ? negate(value) : value))
    case 'choose':
      return [...keysIn(node.then), ...keysIn(node.otherwise)]
    case 'builtin': {
      if (node.builtIn.name === 'coalesce') return node.args.flatMap(keysIn)
      const [value] = node.builtIn.name === 'date' ? node.args.flatMap(keysIn) : []
      return typeof value === 'string' ? [node.builtIn.evaluate([value])].filter((date) => date !== null) : []
    }
    default:
      return []
  }
}
