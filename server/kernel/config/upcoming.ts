// The days on which values of a set change automatically: a row begins, or one ends and no other follows.
import { dayOf, type CivilDate } from '../dates/civil-date.ts'
import type { FieldValue } from '../components/field-types.ts'
import type { Scope } from '../components/scopes.ts'
import type { SetSlice } from './slice-types.ts'
import { lanesOfKey, type SliceRow } from './slice-rows.ts'

type Values = Readonly<Record<string, FieldValue>>

export interface UpcomingChange {
  /** The day number of the first day on which it applies. */
  day: number
  /** Null for a singleton. */
  key: string | null
  scope: Scope
  /** The entry that begins, or the one that ends. */
  entry: string
  /** Null if no row of this key and scope applies on the day before. */
  before: Values | null
  /** Null if none applies from this day on. */
  after: Values | null
}

/** The listed changes of one day, and their total. */
export interface UpcomingDay {
  day: number
  total: number
  changes: UpcomingChange[]
}

/** Returns the days after `today` up to and including `until`, ascending, each with at most `most` changes. */
export function upcomingDays(
  slice: SetSlice,
  today: CivilDate,
  until: CivilDate,
  most: number,
): UpcomingDay[] {
  const steps = upcomingSteps(slice, today, until, most)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** The same, one key per step, so other work can run in between. */
export function* upcomingSteps(
  slice: SetSlice,
  today: CivilDate,
  until: CivilDate,
  most: number,
): Generator<undefined, UpcomingDay[]> {
  if (!slice.dated) return []
  const [after, last] = [dayOf(today), dayOf(until)]
  const byDay = new Map<number, UpcomingDay>()
  const add = (change: UpcomingChange): void => {
    const day = byDay.get(change.day) ?? { day: change.day, total: 0, changes: [] }
    day.total += 1
    if (day.changes.length < most) day.changes.push(change)
    byDay.set(change.day, day)
  }
  for (const key of slice.rowsByKey.keys()) {
    for (const lane of lanesOfKey(slice.rowsByKey.get(key)!))
      for (const change of changesIn(lane, slice.keyType === null ? null : key, after, last)) add(change)
    yield
  }
  return [...byDay.values()].sort((a, b) => a.day - b.day)
}

/** `lane` contains the rows of one key and scope in chronological order. */
function* changesIn(
  lane: readonly SliceRow[],
  key: string | null,
  after: number,
  last: number,
): Iterable<UpcomingChange> {
  const within = (day: number): boolean => day > after && day <= last
  for (const [at, row] of lane.entries()) {
    const { entry, scope, from, to } = row
    if (within(from)) {
      const previous = lane[at - 1]
      const before = previous?.to === from ? previous.values : null
      yield { day: from, key, scope, entry, before, after: row.values }
    }
    if (within(to) && lane[at + 1]?.from !== to)
      yield { day: to, key, scope, entry, before: row.values, after: null }
  }
}
