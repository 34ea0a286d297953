// Renames inside an expression with minimal text edits, by the places of the names.
import type { ExpressionSite } from '../components/expression-slot.ts'
import type { ComponentView } from '../components/view.ts'
import { checkedTree } from './compile.ts'
import { walk, type Span, type TypedExpression } from './typed-tree.ts'

export interface ExprRename {
  kind: 'set' | 'flag' | 'function' | 'object_field' | 'set_field'
  from: string
  to: string
  /** The set or object whose field it is. */
  of?: string
}

/**
 * Returns the source with all renames applied at once, so names can be swapped.
 * `view` is the one before the rename. Text that does not parse and names written as an alias stay unchanged.
 */
export function renameInExpression(
  source: string,
  site: ExpressionSite,
  view: ComponentView,
  renames: readonly ExprRename[],
): string {
  const tree = checkedTree(source, site, view)
  if (tree === null) return source
  const edits = new Map<number, Span & { text: string }>()
  for (const node of walk(tree))
    for (const { kind, of, name, span } of namesIn(node)) {
      const rename = renames.find((each) => each.kind === kind && each.from === name && each.of === of)
      if (rename !== undefined && source.slice(span.start, span.end) === name)
        edits.set(span.start, { ...span, text: rename.to })
    }
  return [...edits.values()]
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: name }) => text.slice(0, start) + name + text.slice(end), source)
}

interface NameInSource {
  kind: ExprRename['kind']
  of?: string
  name: string
  span: Span
}

function namesIn(node: TypedExpression): NameInSource[] {
  switch (node.op) {
    case 'row':
      return [{ kind: 'set', name: node.set, span: node.name }]
    case 'config':
      return [{ kind: 'set_field', of: node.row.set, name: node.field, span: node.name }]
    case 'flag':
      return [{ kind: 'flag', name: node.flag, span: node.name }]
    case 'calc':
      return [{ kind: 'function', name: node.function, span: node.name }]
    case 'field':
      return node.steps.map(({ object, field, start, end }) => ({
        kind: 'object_field',
        of: object,
        name: field,
        span: { start, end },
      }))
    default:
      return []
  }
}
