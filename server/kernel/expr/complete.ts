// Completion at a cursor: fields along references, config, flags and functions, with types and help. It reads only the
// text before the cursor, so it works while the expression is incomplete.
import type { ExpressionSite, ExprType } from '../components/expression-slot.ts'
import type { ComponentView } from '../components/view.ts'
import { chainBefore, type ChainLink } from './complete/chain.ts'
import {
  topLevelItems,
  fieldItems,
  flagItems,
  keyItems,
  memberItems,
  methodItems,
  setFieldItems,
  setItems,
  type CompletionItem,
} from './complete/items.ts'
import { fieldOf, isPriorRoot, scopeOf, type NameScope } from './names.ts'
import { membersOfType, typeOfCall, typeOfMember } from './service-values.ts'
import { textType, typeOfField, typeOfParam } from './type-names.ts'

export type { CompletionItem }

export interface Completion {
  /** The range that an item's `insert` replaces. */
  start: number
  end: number
  items: CompletionItem[]
}

/** Returns the items that can follow at `offset` (UTF-16 code units), filtered by the text already typed. */
export function completeExpression(
  source: string,
  offset: number,
  site: ExpressionSite,
  view: ComponentView,
): Completion {
  const { start, prefix, links, inText, inComment } = chainBefore(source.slice(0, offset))
  const rest = /^\w*/.exec(source.slice(offset))![0]
  const scope = scopeOf(site)
  const candidates = inComment ? [] : inText ? keysInText(links, view) : itemsAfter(links, scope, view)
  const needle = prefix.toLowerCase()
  const items = candidates.filter(({ label }) => label.toLowerCase().includes(needle))
  // Items that start with the typed text come first; otherwise the order is kept.
  items.sort(
    (a, b) =>
      Number(!a.label.toLowerCase().startsWith(needle)) - Number(!b.label.toLowerCase().startsWith(needle)),
  )
  return { start, end: inText ? offset : offset + rest.length, items }
}

/** Inside the quotes of `config.<set>("…`. */
function keysInText(links: readonly ChainLink[], view: ComponentView): CompletionItem[] {
  const [root, set] = links
  return root?.name === 'config' && set !== undefined && links.length === 2 ? keyItems(view, set.name) : []
}

function itemsAfter(links: readonly ChainLink[], scope: NameScope, view: ComponentView): CompletionItem[] {
  const [root, second] = links
  if (root === undefined) return topLevelItems(scope, view)
  if (root.name === 'config' && !root.called) {
    if (second === undefined) return setItems(view)
    return links.length === 2
      ? setFieldItems(view, second.name)
      : membersOf(typeOfSetField(view, second.name, links[2]!.name), view)
  }
  if (root.name === 'flag') return second === undefined ? flagItems(view) : []
  if (isPriorRoot(root.name, scope, view))
    return second === undefined
      ? fieldItems(view, scope.object!)
      : membersOf(typeOfPath(links.slice(1), { ...scope, params: [] }, view), view)
  return membersOf(typeOfPath(links, scope, view), view)
}

function membersOf(type: ExprType | null, view: ComponentView): CompletionItem[] {
  if (type === null) return []
  if (type.kind === 'record') return fieldItems(view, type.object)
  const members = membersOfType(view, type)
  return members.length > 0 ? memberItems(members) : methodItems(type)
}

function typeOfSetField(view: ComponentView, set: string, field: string): ExprType | null {
  const found = view.get('config_set', set)?.body.fields.find(({ key }) => key === field)
  return found === undefined ? null : typeOfField(found.type)
}

function typeOfPath(links: readonly ChainLink[], scope: NameScope, view: ComponentView): ExprType | null {
  const [root, ...steps] = links
  if (root!.called) return null
  if (root!.name === '""') return textType
  let type = itemType(rootType(root!.name, scope, view), root!)
  for (const step of steps) {
    if (type === null || step.called) return null
    const next: ExprType | null =
      type.kind === 'record' ? stepType(view, type.object, step.name) : typeOfMember(view, type, step.name)
    type = itemType(next, step)
  }
  return type
}

function rootType(name: string, scope: NameScope, view: ComponentView): ExprType | null {
  const param = scope.params.find(({ key }) => key === name)
  if (param !== undefined) return typeOfParam(param.type)
  const call = scope.calls.find(({ action }) => action === name)
  return call === undefined ? stepType(view, scope.object, name) : typeOfCall(view, call)
}

/** After `[…]`, as often as it is written. */
function itemType(type: ExprType | null, { indexes = 0 }: ChainLink): ExprType | null {
  let item = type
  for (let left = indexes; left > 0 && item !== null; left--)
    item = item.kind === 'list' ? item.of : item.kind === 'unknown' ? item : null
  return item
}

function stepType(view: ComponentView, object: string | null, name: string): ExprType | null {
  const field = object === null ? undefined : fieldOf(view, object, name)
  return field === undefined ? null : typeOfField(field.type, field.references)
}
