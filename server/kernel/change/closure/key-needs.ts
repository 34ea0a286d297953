// Needs between the entries of one key: ranges without gaps and overlaps, an org entry, priorities without ties.
// Entries that were not picked are included if the key would not be valid without them.
import type { ComponentOf } from '../../components/body-types.ts'
import { coverageFindings } from '../../components/config-set/coverage.ts'
import type { EntryOwner } from '../../components/config-set/timeline.ts'
import { idOf, splitId, type ComponentId } from '../../components/component.ts'
import type { ComponentView } from '../../components/view.ts'
import type { Finding } from '../../errors/finding.ts'
import { afterOf, beforeOf, type Change } from '../change.ts'
import { businessKeyOf } from '../overlay-view.ts'
import { entriesOfChange, type ChangeIndex } from './change-index.ts'
import type { FoundNeed } from './need.ts'

type Entry = ComponentOf<'config_entry'>

/** The changes of the whole list to the entries of one key. */
interface KeyChanges {
  set: string
  key: string | null
  /** Changes to its entries, in the order of the list. */
  changes: Change[]
}

export interface KeyNeed extends FoundNeed {
  of: ComponentId
}

/** Keys by set and key; `keyChangeSteps` of the whole list, once. */
export type KeyChangeIndex = ReadonlyMap<string, KeyChanges>

export function* keyChangeSteps(changes: readonly Change[]): Generator<void, KeyChangeIndex> {
  const lanes = new Map<string, KeyChanges>()
  for (const change of changes) {
    for (const [place, { set, key }] of affectedKeysOf(change)) {
      const known = lanes.get(place)
      if (known === undefined) lanes.set(place, { set, key, changes: [change] })
      else known.changes.push(change)
    }
    yield
  }
  return lanes
}

/** Returns the keys that a change affects. */
export function affectedKeysOf(change: Change): Map<string, { set: string; key: string | null }> {
  return new Map(
    entriesOfChange(change).map((entry) => {
      const key = businessKeyOf(entry)
      return [`${entry.body.set}\n${key ?? ''}`, { set: entry.body.set, key }]
    }),
  )
}

/** Returns the needs of one key, so that it is valid with only the taken changes; none if it is, or if all are taken. */
export function findKeyNeeds(
  lanes: KeyChanges,
  isTaken: (id: ComponentId) => boolean,
  ground: ChangeIndex,
): KeyNeed[] {
  const chosen = lanes.changes.filter(({ id }) => isTaken(id))
  let remaining = lanes.changes.filter(({ id }) => !isTaken(id))
  if (remaining.length === 0) return []
  const needs: KeyNeed[] = []
  const knownFindings = new Set(
    findingsOf(lanes, ground.view, entriesAt(ground.view, lanes), ground).map(identity),
  )
  if (ground.base !== null)
    for (const found of findingsOf(lanes, ground.base, entriesAt(ground.base, lanes), ground))
      knownFindings.add(identity(found))
  while (remaining.length > 0) {
    const fault = findingsOf(lanes, ground.view, entriesAfter(lanes, chosen, ground), ground).find(
      (found) => !knownFindings.has(identity(found)),
    )
    if (fault === undefined) break
    const fixes = changesFixing(fault, remaining)
    const of = ofWhom(fault, chosen)
    for (const { id } of fixes) needs.push({ id, of, kind: 'ranges', reason: fault.message })
    chosen.push(...fixes)
    remaining = remaining.filter((change) => !fixes.includes(change))
  }
  return needs
}

/** Returns the changes that the fault names or that overlap its days; all if none does. */
function changesFixing(fault: Finding, candidates: readonly Change[]): Change[] {
  const facts = fault.facts ?? {}
  const named = new Set<unknown>([
    fault.component,
    ...fault.related.map(({ component }) => component),
    ...['earlier', 'later', 'last', 'other'].map((name) => `config_entry/${String(facts[name])}`),
  ])
  const days = new Set(
    ['from', 'to', 'endsOn'].map((name) => facts[name]).filter((day) => typeof day === 'string'),
  )
  const scope = facts['scope']
  const byName = candidates.filter((change) => named.has(change.id))
  if (byName.length > 0) return byName
  const byDay = candidates.filter((change) =>
    entriesOfChange(change).some(
      ({ body }) => days.has(body.effectiveFrom ?? '') || days.has(body.effectiveTo ?? ''),
    ),
  )
  if (byDay.length > 0) return byDay
  const atOrg = candidates.filter((change) =>
    entriesOfChange(change).some(({ body }) => scope === undefined && body.scope.kind === 'org'),
  )
  return atOrg.length > 0 ? atOrg : [...candidates]
}

/** Returns the taken change that the fault names; any change to the key if it names none. */
function ofWhom(fault: Finding, chosen: readonly Change[]): ComponentId {
  const named = new Set<string>([fault.component, ...fault.related.map(({ component }) => component)])
  const [first] = chosen
  return (chosen.find(({ id }) => named.has(id)) ?? first!).id
}

/** Returns the entries of the key with only some of the changes applied. */
function entriesAfter(lanes: KeyChanges, chosen: readonly Change[], { base }: ChangeIndex): Entry[] {
  const entries = new Map<string, Entry>()
  for (const entry of base === null ? [] : entriesAt(base, lanes)) entries.set(entry.key, entry)
  for (const change of chosen) {
    const [before, after] = [beforeOf(change), afterOf(change)]
    if (before !== null) entries.delete(splitId(idOf(before)).key)
    if (after?.type === 'config_entry' && isAt(after, lanes)) entries.set(after.key, after)
  }
  return [...entries.values()]
}

function isAt(entry: Entry, { set, key }: KeyChanges): boolean {
  return entry.body.set === set && businessKeyOf(entry) === key
}

function entriesAt(view: ComponentView, { set, key }: KeyChanges): Entry[] {
  return [...view.entriesAt(set, key)]
}

function findingsOf(
  { set, key }: KeyChanges,
  view: ComponentView,
  entries: readonly Entry[],
  ground: ChangeIndex,
): Finding[] {
  const target: EntryOwner | undefined =
    ownerIn(view, set) ??
    ownerIn(ground.view, set) ??
    (ground.base === null ? undefined : ownerIn(ground.base, set))
  if (target === undefined) return []
  return coverageFindings(target, key, entries, view).filter(({ severity }) => severity === 'error')
}

function ownerIn(view: ComponentView, set: string): EntryOwner | undefined {
  return view.get('config_set', set) ?? view.get('feature_flag', set)
}

function identity({ code, component, facts }: Finding): string {
  return JSON.stringify([code, component, facts ?? null])
}
