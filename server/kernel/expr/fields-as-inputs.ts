// Writes an expression over a record as one with declared inputs, which can be evaluated without the record.
import type { ExpressionSite } from '../components/expression-slot.ts'
import type { ComponentView } from '../components/view.ts'
import { checkedTree } from './compile.ts'
import { walk } from './typed-tree.ts'

/**
 * Returns the source with each field, also along references, replaced by the name of an input. Text that does not parse
 * stays unchanged.
 */
export function fieldsAsInputs(
  source: string,
  site: ExpressionSite,
  view: ComponentView,
  nameOf: (path: readonly string[]) => string,
): string {
  const tree = checkedTree(source, site, view)
  const edits = new Map<number, { end: number; text: string }>()
  for (const node of tree === null ? [] : walk(tree))
    if (node.op === 'field') {
      const text = nameOf(node.steps.map(({ field }) => field))
      edits.set(node.steps[0]!.start, { end: node.steps.at(-1)!.end, text })
    }
  return [...edits]
    .sort(([a], [b]) => b - a)
    .reduce((text, [start, { end, text: name }]) => text.slice(0, start) + name + text.slice(end), source)
}
