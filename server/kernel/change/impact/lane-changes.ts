// The days on which a change list changes values, for each key and scope that it touches.
import type { Component, ComponentOf } from '../../components/body-types.ts'
import { scopeText, type Scope } from '../../components/scopes.ts'
import type { ComponentView } from '../../components/view.ts'
import type { FieldValue } from '../../components/field-types.ts'
import { dateOf, dayOf, type CivilDate, type DayNumber } from '../../dates/civil-date.ts'
import { afterOf, beforeOf, type Change } from '../change.ts'
import { RenameIndex } from '../rename-index.ts'
import { isSameContent } from '../value-diff.ts'

type Entry = ComponentOf<'config_entry'>
export type RowValues = Readonly<Record<string, FieldValue>>

/** Days on which one scope of one key has a different value. */
export interface LaneChange {
  set: string
  key: string | null
  scope: Scope
  /** First day; null if days do not matter, or from the beginning. */
  from: CivilDate | null
  /** The first day that is unchanged again; null is open-ended. */
  to: CivilDate | null
  /** Null if none exists: a narrower scope then falls through to the next one. */
  before: RowValues | null
  after: RowValues | null
}

/** Returns the keys whose entries a change list touches, by the key of the set after the list; in the order of the list. */
export function affectedKeys(
  changes: readonly Change[],
  renames = new RenameIndex(changes),
): Map<string, Set<string | null>> {
  const touched = new Map<string, Set<string | null>>()
  const touch = (component: Component | null, nameOf: (set: string) => string): void => {
    if (component?.type === 'feature_flag') keysOf(touched, nameOf(component.key)).add(null)
    if (component?.type === 'config_entry')
      keysOf(touched, nameOf(component.body.set)).add(component.body.key ?? null)
  }
  for (const change of changes) {
    touch(beforeOf(change), (set) => renames.setAfter(set))
    touch(afterOf(change), (set) => set)
  }
  return touched
}

/** Every span of days of one key, scope by scope, ordered by scope and day; `set` is its key after the list. */
export function laneChanges(
  set: string,
  key: string | null,
  base: ComponentView | null,
  view: ComponentView,
  renames = new RenameIndex([]),
): LaneChange[] {
  const from = renames.setBefore(set)
  const before = from === null ? new Map<string, Lane>() : lanesOf(from, key, base, renames)
  const after = lanesOf(set, key, view)
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)]
    const { scope } = (is ?? was)!
    return changeSpans(was?.rows ?? [], is?.rows ?? []).map((span) => ({ set, key, scope, ...span }))
  })
}

/** Days as numbers, infinite if they do not matter. */
export interface ScopeRow {
  from: number
  to: number
  values: RowValues
}

interface Lane {
  scope: Scope
  rows: ScopeRow[]
}

function lanesOf(
  set: string,
  key: string | null,
  view: ComponentView | null,
  renames?: RenameIndex,
): Map<string, Lane> {
  const lanes = new Map<string, Lane>()
  const flag = key === null ? view?.get('feature_flag', set) : undefined
  // The default of a flag is its row at org.
  if (flag !== undefined)
    lanes.set('org', {
      scope: { kind: 'org' },
      rows: [{ from: -Infinity, to: Infinity, values: { value: flag.body.default } }],
    })
  for (const entry of view?.entriesAt(set, key) ?? []) {
    const scope = renames?.scopeAfter(entry.body.scope) ?? entry.body.scope
    const name = scopeText(scope)
    const lane = lanes.get(name)
    if (lane === undefined) lanes.set(name, { scope, rows: [rowOf(entry)] })
    else lane.rows.push(rowOf(entry))
  }
  return lanes
}

function rowOf({ body: { effectiveFrom, effectiveTo, values } }: Entry): ScopeRow {
  return {
    from: effectiveFrom === undefined ? -Infinity : dayOf(effectiveFrom),
    to: effectiveTo == null ? Infinity : dayOf(effectiveTo),
    values,
  }
}

export type ChangeSpan = Pick<LaneChange, 'from' | 'to' | 'before' | 'after'>

/** Returns the days on which two lists of rows differ; the rows of a list do not overlap. */
export function changeSpans(before: readonly ScopeRow[], after: readonly ScopeRow[]): ChangeSpan[] {
  const edges = [...new Set([...before, ...after].flatMap(({ from, to }) => [from, to]))].sort(
    (a, b) => a - b,
  )
  const spans: (ChangeSpan & { end: number })[] = []
  for (const [at, from] of edges.entries()) {
    const end = edges[at + 1]
    if (end === undefined) break
    const [was, is] = [valuesAt(before, from), valuesAt(after, from)]
    if (isSameContent(was, is)) continue
    const last = spans.at(-1)
    if (last?.end === from && isSameContent(last.before, was) && isSameContent(last.after, is)) {
      last.end = end
      last.to = dateText(end)
    } else spans.push({ from: dateText(from), to: dateText(end), before: was, after: is, end })
  }
  return spans.map(({ from, to, before, after: is }) => ({ from, to, before, after: is }))
}

function valuesAt(rows: readonly ScopeRow[], day: number): RowValues | null {
  return rows.findLast(({ from, to }) => from <= day && day < to)?.values ?? null
}

function dateText(day: number): CivilDate | null {
  return Number.isFinite(day) ? dateOf(day as DayNumber) : null
}

function keysOf(touched: Map<string, Set<string | null>>, set: string): Set<string | null> {
  const known = touched.get(set)
  if (known !== undefined) return known
  const keys = new Set<string | null>()
  touched.set(set, keys)
  return keys
}
