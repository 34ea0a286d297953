// Explains a resolution step by step, in words (docs/reference/bindings-and-evidence.md).
import { scopeName, type ScopeKind, type ScopePath } from '../components/scopes.ts'
import { dateOf, dayOf, formatLongDate, previousDay, type DayNumber } from '../dates/civil-date.ts'
import { AlmanacError } from '../errors/almanac-error.ts'
import { localeChain } from './locale-chain.ts'
import { keyOf, rowOnDay, resolve, setOf, type ResolutionRequest, type Resolution } from './resolve.ts'
import { SINGLETON_KEY, type GenerationSlice } from './slice.ts'
import type { KeyRows, SliceRow } from './slice-types.ts'

export interface ExplainStep {
  kind: ScopeKind
  /** `environment=prod`, `org`; only the kind if the request names no scope of it. */
  scope: string
  /** The entry that matched, or the nearest one that did not. */
  entry: string | null
  matched: boolean
  reason: string
}

export interface Explanation {
  resolution: Resolution | null
  error: { code: string; detail: string } | null
  steps: ExplainStep[]
}

/** Returns every scope tried, in order, and why it did or did not match. Does not throw if nothing matches. */
export function explain(slice: GenerationSlice, question: ResolutionRequest): Explanation {
  try {
    const resolution = resolve(slice, question)
    return { resolution, error: null, steps: stepsOf(slice, question, resolution.entry) }
  } catch (error) {
    if (!(error instanceof AlmanacError)) throw error
    return {
      resolution: null,
      error: { code: error.code, detail: error.message },
      steps: stepsOf(slice, question, null),
    }
  }
}

function stepsOf(slice: GenerationSlice, question: ResolutionRequest, answer: string | null): ExplainStep[] {
  const steps: ExplainStep[] = []
  let rows: KeyRows | undefined
  try {
    const set = setOf(slice, question.set)
    const key = keyOf(set, question.key)
    rows = set.rowsByKey.get(key ?? SINGLETON_KEY)
    if (rows === undefined || (set.dated && question.asOf === null)) return []
    const day = question.asOf === null ? 0 : dayOf(question.asOf)
    for (const kind of set.chain) {
      steps.push(...stage(rows, kind, question.scopePath, day, answer))
      if (steps.at(-1)?.matched === true) break
    }
  } catch (error) {
    if (!(error instanceof AlmanacError)) throw error
  }
  return steps
}

function stage(
  rows: KeyRows,
  kind: ScopeKind,
  path: ScopePath,
  day: number,
  answer: string | null,
): ExplainStep[] {
  if (kind === 'org') return [step(kind, 'org', rows.org ?? [], day, answer, 'no entry at org')]
  const lanes = rows[kind]
  const names = requestedNames(kind, path)
  if (names.length === 0) {
    const others =
      lanes === null ? '' : `; there are entries for ${[...lanes.keys()].sort().slice(0, 5).join(', ')}`
    return [
      {
        kind,
        scope: kind,
        entry: null,
        matched: false,
        reason: `the request has no ${words(kind)}${others}`,
      },
    ]
  }
  const steps: ExplainStep[] = []
  for (const name of names) {
    const lane = lanes?.get(name) ?? []
    steps.push(step(kind, `${kind}=${name}`, lane, day, answer, noneFor(lanes, name, kind)))
    if (steps.at(-1)!.matched && kind !== 'permission_set') break
  }
  // All permission sets are listed; the one with the highest priority matches and comes last.
  return steps.sort((a, b) => Number(a.matched) - Number(b.matched))
}

function requestedNames(kind: Exclude<ScopeKind, 'org'>, path: ScopePath): readonly string[] {
  if (kind === 'locale') return path.locale === undefined ? [] : localeChain(path.locale)
  if (kind === 'permission_set') return [...(path.permission_set ?? [])].sort()
  const name = path[kind]
  return name === undefined ? [] : [name]
}

function noneFor(lanes: Map<string, SliceRow[]> | null, name: string, kind: ScopeKind): string {
  const others = [...(lanes?.keys() ?? [])].filter((other) => other !== name).sort()
  if (others.length === 0) return 'no entry at this scope'
  const shown = others.slice(0, 3).join(', ')
  return others.length === 1
    ? `the only ${words(kind)} entry is for ${shown}`
    : `there are entries for ${shown}`
}

function step(
  kind: ScopeKind,
  scope: string,
  lane: readonly SliceRow[],
  day: number,
  answer: string | null,
  none: string,
): ExplainStep {
  const row = rowOnDay(lane, day)
  if (row !== null) {
    const matched = row.entry === answer
    const reason = matched
      ? whyInEffect(row, day)
      : `${whyInEffect(row, day)}, but its priority ${row.priority} is not the highest`
    return { kind, scope, entry: row.entry, matched, reason }
  }
  const nearest = lane.findLast((each) => each.to <= day) ?? lane.find((each) => each.from > day)
  if (nearest === undefined) return { kind, scope, entry: null, matched: false, reason: none }
  const reason =
    nearest.to <= day
      ? `ended ${long(nearest.to, true)}, before ${long(day)}`
      : `starts ${long(nearest.from)}, after ${long(day)}`
  return { kind, scope, entry: nearest.entry, matched: false, reason }
}

function whyInEffect(row: SliceRow, day: number): string {
  if (row.from === -Infinity)
    return `${scopeName(row.scope) === '' ? 'the org-wide value' : 'the value at this scope'}, not dated`
  const range = row.to === Infinity ? `from ${long(row.from)}` : `${long(row.from)} to ${long(row.to, true)}`
  return `in effect ${range}, which includes ${long(day)}`
}

function long(day: number, before = false): string {
  const date = dateOf(day as DayNumber)
  return formatLongDate(before ? previousDay(date) : date)
}

function words(kind: ScopeKind): string {
  return kind.replace('_', ' ')
}
