// Components that were given and do not fit their shape: what of them is judged, and what is not said because of them (7).
import type { ComponentOf } from '../components/body-types.ts'
import type { ComponentId } from '../components/component.ts'
import { splitId } from '../components/component.ts'
import type { RuleContext } from '../components/define.ts'
import { roomOf } from '../components/registry.ts'
import type { Finding } from '../errors/finding.ts'
import type { ReferenceGraph } from '../graph/index.ts'
import { normalised } from './candidate.ts'

export interface Unsound {
  id: ComponentId
  /** The entry without what is at fault; null for another type, or where nothing can be judged. */
  part: ComponentOf<'config_entry'> | null
  /** JSON pointers of the faults; the empty one is the whole. */
  faults: readonly string[]
}

/** What an entry's own rules say of the parts beside its faults. */
export function partFindings(unsound: readonly Unsound[], context: RuleContext): Finding[] {
  return unsound.flatMap(({ part, faults }) => {
    if (part === null) return []
    const entry = normalised(part, context.view) as ComponentOf<'config_entry'>
    return roomOf('config_entry')
      .rules.flatMap((rule) => rule(entry, context))
      .filter(({ code, path }) => code !== 'flag.frozen' && !faults.some((fault) => overlap(fault, path)))
  })
}

/** True of an entry whatever its set says. */
const freeOfSet: ReadonlySet<string> = new Set([
  'key.entry_set',
  'config.priority_missing',
  'config.priority_not_allowed',
  'config.range_empty',
  'config.scope_user',
])

/** Said because an entry is absent; of a key one of whose entries could be read in part only that may be untrue. */
const saidOfAbsence: ReadonlySet<string> = new Set([
  'config.range_gap',
  'config.range_end',
  'config.org_missing',
])

/**
 * The findings without those that may only follow from a component that was given and could not be read, and without
 * those of its older version, which it is to replace. `parts` are what is left of them.
 */
export function believable(
  findings: readonly Finding[],
  parts: readonly Finding[],
  unsound: readonly Unsound[],
  graph: ReferenceGraph,
): Finding[] {
  if (unsound.length === 0) return [...findings]
  const ids = new Set(unsound.map(({ id }) => id))
  const keysOfParts = new Set(
    unsound.flatMap(({ part }) => (part === null ? [] : `${part.body.set} ${part.body.key ?? ''}`)),
  )
  const others = findings.filter(({ component }) => !ids.has(component as ComponentId))
  return [...others, ...parts].filter((found) => {
    const { type, key } = splitId(found.component as ComponentId)
    const set = type === 'config_entry' ? setOf(key) : key
    const businessKey = `${set} ${found.facts?.['key'] ?? ''}`
    if (saidOfAbsence.has(found.code) && keysOfParts.has(businessKey)) return false
    if (type === 'config_entry' && (ids.has(`config_set/${set}`) || ids.has(`feature_flag/${set}`)))
      return freeOfSet.has(found.code)
    return !followsFrom(found, ids, graph)
  })
}

/** Whether the place of a finding names one of them, or an expression stands on a component that is one. */
function followsFrom(found: Finding, ids: ReadonlySet<ComponentId>, graph: ReferenceGraph): boolean {
  return (graph.outgoing.get(found.component as ComponentId) ?? []).some(
    ({ to, path, by }) =>
      ids.has(to) &&
      (overlap(path, found.path) || (by !== 'expression' && /^(expr|reference)\./.test(found.code))),
  )
}

function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)
}

function setOf(entryKey: string): string {
  return entryKey.slice(0, entryKey.indexOf('.'))
}
