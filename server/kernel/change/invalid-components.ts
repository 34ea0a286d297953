// Components that do not match their schema: which parts of them are checked, and which findings they suppress.
import type { ComponentOf } from '../components/body-types.ts'
import type { ComponentId } from '../components/component.ts'
import { splitId } from '../components/component.ts'
import type { Rule, RuleContext } from '../components/define.ts'
import type { PartialComponent } from '../components/partial-component.ts'
import { pointer } from '../components/pointer.ts'
import { roomOf } from '../components/registry.ts'
import type { Finding } from '../errors/finding.ts'
import { referencesOf, unknownReferences, type ReferenceGraph } from '../graph/index.ts'
import { normaliseComponent } from './candidate.ts'

export interface InvalidComponent {
  id: ComponentId
  /** The entry without its faults; null for other types, or if nothing can be checked. */
  partialEntry: ComponentOf<'config_entry'> | null
  /** The remaining part of a component of a different type. */
  partialComponent?: PartialComponent | null
  /** JSON pointers of the faults; the empty one is the whole. */
  faults: readonly string[]
}

/** Returns the findings of rules on the parts without faults, and on their references that do not exist. */
export function partialComponentFindings(
  unsound: readonly InvalidComponent[],
  context: RuleContext,
  graph: ReferenceGraph,
): Finding[] {
  const ids = new Set(unsound.map(({ id }) => id))
  return unsound.flatMap(({ id, partialComponent, faults }) => {
    if (partialComponent == null) return []
    const { component, invalidProperties, items } = partialComponent
    const references = referencesOf(component, context.view).filter(
      ({ path }) => !invalidProperties.includes(top(path)),
    )
    const known = references.filter(({ to }) => !ids.has(to))
    const unknown = unknownReferences(
      context.view,
      { ...graph, outgoing: new Map([[id, known]]) },
      { of: [id] },
    )
    // A reference to a component that could not be read either may be valid.
    const open = references.filter(({ to }) => ids.has(to))
    return [...ruleFindings(partialComponent, context), ...unknown]
      .filter(({ path }) => !open.some((reference) => overlap(reference.path, path)))
      .map((found) => ({ ...found, path: placeOf(found.path, items) }))
      .filter(({ path }) => !faults.some((fault) => path === fault || path.startsWith(`${fault}/`)))
  })
}

/** Ignores a rule that reads a faulty part. */
function ruleFindings({ component, invalidProperties }: PartialComponent, context: RuleContext): Finding[] {
  let looked = false
  const body = new Proxy(component.body, {
    get: (target, name, receiver): unknown => {
      if (typeof name === 'string' && invalidProperties.includes(name)) looked = true
      return Reflect.get(target, name, receiver)
    },
  })
  const watched = { ...component, body }
  return (roomOf(component.type).rules as readonly Rule<never>[]).flatMap((rule) => {
    looked = false
    const found = rule(watched as never, context)
    return looked ? [] : found
  })
}

/** Returns the property of the body that contains a place. */
function top(path: string): string {
  return path.split('/')[2] ?? ''
}

/** Returns the place in the original component, which includes the omitted items. */
function placeOf(path: string, items: PartialComponent['items']): string {
  const [, body, name = '', index, ...rest] = path.split('/')
  const originalIndex = index === undefined ? undefined : items[name]?.[Number(index)]
  return body !== 'body' || originalIndex === undefined
    ? path
    : `${pointer('body', name, originalIndex)}${rest.map((step) => `/${step}`).join('')}`
}

/** Returns the findings of an entry's own rules on the parts without faults. */
export function partialEntryFindings(unsound: readonly InvalidComponent[], context: RuleContext): Finding[] {
  return unsound.flatMap(({ partialEntry, faults }) => {
    if (partialEntry === null) return []
    const entry = normaliseComponent(partialEntry, context.view) as ComponentOf<'config_entry'>
    return roomOf('config_entry')
      .rules.flatMap((rule) => rule(entry, context))
      .filter(({ code, path }) => code !== 'flag.frozen' && !faults.some((fault) => overlap(fault, path)))
  })
}

/** Codes that hold for an entry independently of its set. */
const setIndependentCodes: ReadonlySet<string> = new Set([
  'key.entry_set',
  'config.priority_missing',
  'config.priority_not_allowed',
  'config.range_empty',
  'config.scope_user',
])

/** Codes that report a missing entry; they may be wrong for a key with an entry that could only partly be read. */
const absenceCodes: ReadonlySet<string> = new Set([
  'config.range_gap',
  'config.range_end',
  'config.org_missing',
])

/**
 * Returns the findings without those that may only result from a component that could not be read, and without
 * those of its older version, which it replaces. `parts` are the remaining parts of these components.
 */
export function dropConsequentialFindings(
  findings: readonly Finding[],
  parts: readonly Finding[],
  unsound: readonly InvalidComponent[],
  graph: ReferenceGraph,
): Finding[] {
  if (unsound.length === 0) return [...findings]
  const ids = new Set(unsound.map(({ id }) => id))
  const keysOfParts = new Set(
    unsound.flatMap(({ partialEntry }) =>
      partialEntry === null ? [] : `${partialEntry.body.set} ${partialEntry.body.key ?? ''}`,
    ),
  )
  const others = findings.filter(({ component }) => !ids.has(component as ComponentId))
  return [...others, ...parts].filter((finding) => {
    const { type, key } = splitId(finding.component as ComponentId)
    const set = type === 'config_entry' ? setOf(key) : key
    const businessKey = `${set} ${finding.facts?.['key'] ?? ''}`
    if (absenceCodes.has(finding.code) && keysOfParts.has(businessKey)) return false
    if (type === 'config_entry' && (ids.has(`config_set/${set}`) || ids.has(`feature_flag/${set}`)))
      return setIndependentCodes.has(finding.code)
    return !followsFrom(finding, ids, graph)
  })
}

/** Reports whether the place of a finding names one of them, or an expression depends on one of them. */
function followsFrom(finding: Finding, ids: ReadonlySet<ComponentId>, graph: ReferenceGraph): boolean {
  return (graph.outgoing.get(finding.component as ComponentId) ?? []).some(
    ({ to, path, origin }) =>
      ids.has(to) &&
      (overlap(path, finding.path) || (origin !== 'expression' && /^(expr|reference)\./.test(finding.code))),
  )
}

function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)
}

function setOf(entryKey: string): string {
  return entryKey.slice(0, entryKey.indexOf('.'))
}
