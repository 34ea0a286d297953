// Renames components with all dependents: entries, structural references by pointer, expressions by text edit.
import type { Component } from '../components/body-types.ts'
import { componentId, idOf, splitId, type ComponentId, type ComponentType } from '../components/component.ts'
import { expressionSlots } from '../components/expression-slots.ts'
import type { ComponentView } from '../components/view.ts'
import { renameInExpression, type ExprRename } from '../expr/index.ts'
import { componentAt } from './component-at.ts'
import { renameKeysAt, setAt, stepsOf, valueAt } from './pointer-edit.ts'
import { buildGraph, type ReferenceGraph } from './reference-graph.ts'
import { referencesOf, type GraphReference } from './references.ts'

export interface ComponentRename {
  type: ComponentType
  from: string
  to: string
}

export interface RenamedPlace {
  /** The component under its new key. */
  component: ComponentId
  path: string
  before: string
  after: string
}

export interface RenamePlan {
  /** Every component that changes, under its new key. */
  components: Component[]
  /** Every component that gets a new key: the renamed ones, and the entries of renamed sets and flags. */
  keyMoves: { from: ComponentId; to: ComponentId }[]
  /** The ids that no longer exist. */
  removed: ComponentId[]
  /** The blast radius: each place that changes in addition to the keys. */
  places: RenamedPlace[]
}

const kindOfType: Partial<Record<ComponentType, ExprRename['kind']>> = {
  config_set: 'set',
  feature_flag: 'flag',
  calc_function: 'function',
}

/**
 * Returns everything that a rename changes, all at once, so keys can be swapped. An object keeps its old key as an
 * alias, unless another object now has that key. Keys that do not exist are ignored; validation checks that the new
 * keys are free.
 */
export function planRename(
  view: ComponentView,
  renames: readonly ComponentRename[],
  graph: ReferenceGraph = buildGraph(view),
): RenamePlan {
  const targets = new Map<ComponentId, string>()
  for (const { type, from, to } of renames)
    if (from !== to && view.has(type, from)) targets.set(componentId(type, from), to)
  const plan: RenamePlan = { components: [], keyMoves: [], removed: [], places: [] }
  for (const component of affectedComponents(targets, view, graph)) renameOne(component, targets, view, plan)
  const alive = new Set(plan.components.map((component) => idOf(component)))
  plan.removed = plan.removed.filter((id) => !alive.has(id))
  return plan
}

/**
 * Returns one component with its references under their new names; the view contains the targets under the old names.
 */
export function applyRenames<T extends Component>(
  component: T,
  renames: readonly ComponentRename[],
  view: ComponentView,
): T {
  const targets = new Map(renames.map(({ type, from, to }) => [componentId(type, from), to]))
  const plan: RenamePlan = { components: [], keyMoves: [], removed: [], places: [] }
  renameOne(component, targets, view, plan)
  return plan.places.length + plan.keyMoves.length === 0 ? component : (plan.components[0] as T)
}

/** Returns the renamed components, their entries, and all components that refer to them, ordered by id. */
function affectedComponents(
  targets: ReadonlyMap<ComponentId, string>,
  view: ComponentView,
  graph: ReferenceGraph,
): Component[] {
  const componentsById = new Map<ComponentId, Component>()
  const take = (id: ComponentId): void => {
    const component = componentAt(view, id)
    if (component !== undefined) componentsById.set(id, component)
  }
  for (const target of targets.keys()) {
    take(target)
    for (const from of graph.incoming.get(target) ?? []) take(from)
    const { type, key } = splitId(target)
    if (type === 'config_set' || type === 'feature_flag')
      for (const entry of view.entriesOf(key)) componentsById.set(idOf(entry), entry)
  }
  return [...componentsById.keys()].sort().map((id) => componentsById.get(id)!)
}

function renameOne(
  component: Component,
  targets: ReadonlyMap<ComponentId, string>,
  view: ComponentView,
  plan: RenamePlan,
): void {
  const references = referencesOf(component, view).filter(({ to }) => targets.has(to))
  const copy = structuredCopy(component)
  copy.key = newKey(component, references, targets)
  const id = componentId(component.type, copy.key)
  const note = (path: string, before: string, after: string): void => {
    if (before !== after) plan.places.push({ component: id, path, before, after })
  }
  if (copy.type === 'object' && copy.key !== component.key)
    copy.body.aliases = [...new Set([...copy.body.aliases, component.key])]
      .filter((alias) => alias !== copy.key && !isTakenAfter(alias, targets, view))
      .sort()
  renameExpressions(component, copy, targets, view, note)
  renameStructure(component, copy, { references, targets, note })
  if (copy.key !== component.key) {
    plan.removed.push(idOf(component))
    plan.keyMoves.push({ from: idOf(component), to: id })
  }
  plan.components.push(copy)
}

/** Whether an object has this key after the renames. */
function isTakenAfter(key: string, targets: ReadonlyMap<ComponentId, string>, view: ComponentView): boolean {
  const id = componentId('object', key)
  if (view.has('object', key) && !targets.has(id)) return true
  return [...targets].some(([from, to]) => to === key && splitId(from).type === 'object')
}

function newKey(
  component: Component,
  references: readonly GraphReference[],
  targets: ReadonlyMap<ComponentId, string>,
): string {
  const own = targets.get(idOf(component))
  if (own !== undefined || component.type !== 'config_entry') return own ?? component.key
  const owner = references.find(({ path }) => path === '/body/set')
  const to = owner === undefined ? undefined : targets.get(owner.to)
  const prefix = `${component.body.set}.`
  return to !== undefined && component.key.startsWith(prefix)
    ? `${to}.${component.key.slice(prefix.length)}`
    : component.key
}

type Note = (path: string, before: string, after: string) => void
/** The new key of each component that is renamed. */
type Targets = ReadonlyMap<ComponentId, string>

function renameExpressions(
  component: Component,
  copy: Component,
  targets: ReadonlyMap<ComponentId, string>,
  view: ComponentView,
  note: Note,
): void {
  const renames: ExprRename[] = []
  for (const [id, to] of targets) {
    const { type, key } = splitId(id)
    const kind = kindOfType[type]
    if (kind !== undefined) renames.push({ kind, from: key, to })
  }
  if (renames.length === 0) return
  for (const { path, source, site } of expressionSlots(component)) {
    const after = renameInExpression(source, site, view, renames)
    if (after === source) continue
    setAt(copy, path, after)
    note(path, source, after)
  }
}

/** The property of a grant is the key of a permission set. */
const grant = /^\/body\/(?:read|edit)\/[^/]+$/
/** Where a field is written as `<object>.<field>`; elsewhere, only the field is. */
const qualified = /^\/body\/(?:(?:asOfField|fields)\/[^/]+|actions\/\d+\/operation)$/
/** An item of a list that is stored in order (see `sortedUniqueList`). */
const sortedItem = /^(.*\/(?:asOfField|grantedTo))\/\d+$/

/**
 * Renames values first, then property names, deepest first, so that every pointer stays valid. Names are read from the
 * component as it was, and the names of one map change together, so that two of them can be swapped.
 */
function renameStructure(
  component: Component,
  copy: Component,
  { references, targets, note }: { references: readonly GraphReference[]; targets: Targets; note: Note },
): void {
  const maps = new Map<string, Map<string, string>>()
  const expressions = new Set(expressionSlots(component).map(({ path }) => path))
  const lists = new Set<string>()
  for (const reference of new Map(references.map((each) => [`${each.path} ${each.to}`, each])).values()) {
    const { path, to, origin } = reference
    if (origin === 'expression') continue
    const from = splitId(to).key
    const target = targets.get(to)!
    const value = expressions.has(path) || grant.test(path) ? undefined : valueAt(component, path)
    if (typeof value === 'string') {
      const renamed = renamedName(value, reference, from, target)
      if (renamed === null) continue
      setAt(copy, path, renamed)
      note(path, value, renamed)
      const [, list] = sortedItem.exec(path) ?? []
      if (list !== undefined) lists.add(list)
    } else {
      const last = stepsOf(path).at(-1) ?? ''
      const key = renamedName(last, reference, from, target)
      if (key === null) continue
      const parent = path.slice(0, path.lastIndexOf('/'))
      maps.set(parent, (maps.get(parent) ?? new Map<string, string>()).set(last, key))
      note(path, last, key)
    }
  }
  for (const path of lists) (valueAt(copy, path) as string[]).sort()
  for (const [path, keys] of [...maps].sort(([a], [b]) => b.length - a.length)) renameKeysAt(copy, path, keys)
}

/**
 * Returns `vat` or `invoice.date` with its first part renamed; null if the text names only a member, a list of members, or
 * neither.
 */
function renamedName(
  text: string,
  { path, member }: GraphReference,
  from: string,
  to: string,
): string | null {
  if (member !== undefined && !(qualified.test(path) && text.includes('.'))) return null
  if (text === from) return to
  return text.startsWith(`${from}.`) ? to + text.slice(from.length) : null
}

function structuredCopy(component: Component): Component {
  return JSON.parse(JSON.stringify(component)) as Component
}
