// Resolution: a pure function of slice, set, key, scope path and as-of (docs/reference/resolution-and-dates.md).
import { normaliseBusinessKey } from '../components/config-entry/business-key.ts'
import type { FieldValue } from '../components/field-types.ts'
import type { Scope, ScopePath } from '../components/scopes.ts'
import { dateOf, dayOf, formatLongDate, type CivilDate, type DayNumber } from '../dates/civil-date.ts'
import { AlmanacError } from '../errors/almanac-error.ts'
import { didYouMean } from '../errors/suggest.ts'
import { localeChain } from './locale-chain.ts'
import { SINGLETON_KEY, type GenerationSlice } from './slice.ts'
import type { KeyRows, SetSlice, SliceRow } from './slice-types.ts'

export interface ResolutionRequest {
  set: string
  /** The business key; absent or null for a singleton and for a flag. */
  key?: string | null
  scopePath: ScopePath
  /** Required if the set is effective-dated; has no default. */
  asOf: CivilDate | null
}

export interface Resolution {
  set: string
  key: string | null
  asOf: CivilDate | null
  generation: number
  scope: Scope
  /** Key of the entry; the flag's own key if its default applies. */
  entry: string
  values: Readonly<Record<string, FieldValue>>
}

/**
 * Returns the first entry along the chain that matches the scope path and whose range contains the day; never a merge.
 * @throws AlmanacError config.unknown_set, config.unknown_key, config.bad_key, config.as_of_required,
 * config.not_effective, config.no_entry: each names the request and the fix.
 */
export function resolve(slice: GenerationSlice, question: ResolutionRequest): Resolution {
  const set = setOf(slice, question.set)
  const key = keyOf(set, question.key)
  if (set.dated && question.asOf === null)
    throw new AlmanacError(
      'config.as_of_required',
      `${set.set} is effective-dated: add the as-of date, as YYYY-MM-DD.`,
    )
  const rows = set.rowsByKey.get(key ?? SINGLETON_KEY)
  if (rows === undefined) throw unknownKey(set, key)
  const day = question.asOf === null ? (0 as DayNumber) : dayOf(question.asOf)
  const row = rowIn(set, rows, question.scopePath, day)
  if (row === null) throw notEffective(set, key, rows, question.asOf)
  const asOf = set.dated ? question.asOf : null
  return {
    set: set.set,
    key,
    asOf,
    generation: slice.generation,
    scope: row.scope,
    entry: row.entry,
    values: row.values,
  }
}

/** Returns the row for a key (`''` for a singleton) on a day, or null. The hot path: no checks, no allocation. */
export function resolveFast(set: SetSlice, key: string, path: ScopePath, day: number): SliceRow | null {
  const rows = set.rowsByKey.get(key)
  return rows === undefined ? null : rowIn(set, rows, path, day)
}

function rowIn(set: SetSlice, rows: KeyRows, path: ScopePath, day: number): SliceRow | null {
  const { chain } = set
  for (let at = 0; at < chain.length; at += 1) {
    let row: SliceRow | null = null
    switch (chain[at]!) {
      case 'org':
        if (rows.org !== null) row = rowOnDay(rows.org, day)
        break
      case 'environment':
        row = rowOfName(rows.environment, path.environment, day)
        break
      case 'app':
        row = rowOfName(rows.app, path.app, day)
        break
      case 'user':
        row = rowOfName(rows.user, path.user, day)
        break
      case 'locale':
        if (rows.locale !== null && path.locale !== undefined) row = byLocale(rows.locale, path.locale, day)
        break
      case 'permission_set':
        if (rows.permission_set !== null && path.permission_set !== undefined)
          row = byPriority(rows.permission_set, path.permission_set, day)
        break
    }
    if (row !== null) return row
  }
  return null
}

function rowOfName(
  lanes: Map<string, SliceRow[]> | null,
  name: string | undefined,
  day: number,
): SliceRow | null {
  if (lanes === null || name === undefined) return null
  const lane = lanes.get(name)
  return lane === undefined ? null : rowOnDay(lane, day)
}

function byLocale(lanes: Map<string, SliceRow[]>, locale: string, day: number): SliceRow | null {
  for (const tag of localeChain(locale)) {
    const row = rowOfName(lanes, tag, day)
    if (row !== null) return row
  }
  return null
}

function byPriority(lanes: Map<string, SliceRow[]>, sets: readonly string[], day: number): SliceRow | null {
  let best: SliceRow | null = null
  for (const set of sets) {
    const row = rowOfName(lanes, set, day)
    if (row !== null && (best === null || row.priority > best.priority)) best = row
  }
  return best
}

/** Binary search in a lane that is in chronological order and does not overlap. */
export function rowOnDay(lane: readonly SliceRow[], day: number): SliceRow | null {
  let low = 0
  let high = lane.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const row = lane[middle]!
    if (day < row.from) high = middle - 1
    else if (day >= row.to) low = middle + 1
    else return row
  }
  return null
}

/** @throws config.unknown_set with the nearest name. */
export function setOf(slice: GenerationSlice, key: string): SetSlice {
  const set = slice.sets.get(key)
  if (set !== undefined) return set
  const nearest = didYouMean(key, slice.sets.keys())
  throw new AlmanacError(
    'config.unknown_set',
    `The set or flag "${key}" does not exist in generation ${slice.generation}.${nearest}`,
  )
}

/** Returns the business key in its normal form; null for a singleton. @throws config.bad_key. */
export function keyOf(set: SetSlice, key: string | null | undefined): string | null {
  if (set.keyType === null) {
    if (key === undefined || key === null) return null
    throw new AlmanacError('config.bad_key', `${set.set} is not keyed: remove the key.`)
  }
  if (key === undefined || key === null)
    throw new AlmanacError('config.bad_key', `${set.set} is keyed by ${set.keyType}: add a key.`)
  return set.keyType === 'number' ? normaliseBusinessKey({ key: 'key', type: 'number' }, key) : key
}

function unknownKey(set: SetSlice, key: string | null): AlmanacError {
  if (key === null)
    return new AlmanacError('config.no_entry', `${set.set} has no entry yet. Add one at the org scope.`, {
      details: [{ set: set.set, key }],
    })
  const nearest = didYouMean(key, set.rowsByKey.keys())
  return new AlmanacError('config.unknown_key', `${set.set} has no key "${key}".${nearest}`, {
    details: [{ set: set.set, key }],
  })
}

function notEffective(
  set: SetSlice,
  key: string | null,
  rows: KeyRows,
  asOf: CivilDate | null,
): AlmanacError {
  const what = key === null ? set.set : `${set.set} "${key}"`
  if (asOf === null || rows.firstDay === Infinity)
    return new AlmanacError(
      'config.no_entry',
      `${what} has no entry that matches this request, and none at org.`,
      { details: [{ set: set.set, key }] },
    )
  const first = dateOf(rows.firstDay as DayNumber)
  const detail =
    dayOf(asOf) < rows.firstDay
      ? `${what} is not effective on ${asOf}: its first date is ${first} (${formatLongDate(first)}).`
      : `${what} is not effective on ${asOf}: no entry includes that day; its first date is ${first}.`
  return new AlmanacError('config.not_effective', detail, {
    details: [{ set: set.set, key, asOf, firstDate: first }],
  })
}
