// Finds the drafts of a sheet that change days before today, and those days.
import { scopeText, type Scope } from '#kernel/components/scopes.ts'
import { countDays, changedPastRanges } from '#kernel/config/past-days.ts'
import type { RangeRow } from '#kernel/config/range.ts'
import { dateOf, dayOf, parseCivilDate, type DayNumber } from '#kernel/dates/civil-date.ts'
import { count, lastDay, longDate, scopeWords } from '../../../text/words.ts'
import { isObject } from '../../../widgets/widget.ts'
import { rangeOf, scopeOf, type CellReader } from '../timeline/lanes.ts'
import type { CellValue } from './columns.ts'
import type { Sheet } from './sheet.ts'
import type { RowId } from './sheet-rows.ts'

export interface PastRange {
  from: DayNumber
  to: DayNumber
}

export interface PastLane {
  key: string | null
  scope: Scope
  ranges: PastRange[]
}

/** Returns the lanes of a key whose drafts change days before `today`. */
export function pastOfKey(sheet: Sheet, key: string | null, today: DayNumber): PastLane[] {
  const lanes = new Map<string, { scope: Scope; before: RangeRow<string>[]; after: RangeRow<string>[] }>()
  const put = (side: 'before' | 'after', row: RowId, read: CellReader): void => {
    const [scope, range] = [scopeOf(read), rangeOf(read)]
    if (scope === null || range === null) return
    const name = scopeText(scope)
    const lane = lanes.get(name) ?? { scope, before: [], after: [] }
    lanes.set(name, lane)
    lane[side].push({ range, value: signature(sheet, read) })
  }
  const active = key === null ? sheet.base.all() : sheet.base.rowsOfKey(key)
  for (const row of active) put('before', row, (place) => sheet.base.value(row, place))
  for (const row of sheet.rowsOfKey(key))
    if (sheet.editOf(row)?.kind !== 'removed') put('after', row, (place) => sheet.value(row, place))
  return [...lanes.values()].flatMap(({ scope, before, after }) => {
    const ranges = changedPastRanges(before, after, today)
    return ranges.length === 0 ? [] : [{ key, scope, ranges }]
  })
}

/** Returns the days before today that one entry alone changes; `before` and `after` are components, or nothing. */
export function pastOfEntry(before: unknown, after: unknown, today: string): PastRange[] {
  const now = parseCivilDate(today)
  return now === null ? [] : changedPastRanges(rowOfEntry(before), rowOfEntry(after), dayOf(now))
}

function rowOfEntry(component: unknown): RangeRow<string>[] {
  const body = isObject(component) && isObject(component.body) ? component.body : null
  if (body === null) return []
  const range = rangeOf((place) => body[place.slice('body/'.length)])
  // A rename of the set changes no value.
  const { effectiveFrom: _from, effectiveTo: _to, set: _set, ...rest } = body
  return range === null ? [] : [{ range, value: JSON.stringify(rest) }]
}

/** The keys that drafts affect: for each, the active key of its row and its drafted key. */
export function draftedKeys(sheet: Sheet, keyed: boolean): Set<string | null> {
  if (!keyed) return new Set(sheet.edited.size === 0 ? [] : [null])
  const keys = new Set<string | null>()
  const add = (key: CellValue): void => void (typeof key === 'string' && keys.add(key))
  for (const name of sheet.edited.keys()) {
    const row = sheet.rowNamed(name)
    if (row === undefined) continue
    add(sheet.value(row, 'body/key'))
    if (row >= 0) add(sheet.base.value(row, 'body/key'))
  }
  return keys
}

/** `691 days before today: 1 Jan 2025 to 22 Nov 2026`. */
export function pastWords(ranges: readonly PastRange[]): string {
  const rangeTexts = ranges.slice(0, 2).map(({ from, to }) => {
    const [first, last] = [dateOf(from), lastDay(dateOf(to))]
    return first === last ? longDate(first) : `${longDate(first)} to ${longDate(last)}`
  })
  const more = ranges.length > 2 ? ` and ${ranges.length - 2} more ranges` : ''
  return `${count(countDays(ranges), 'day')} before today: ${rangeTexts.join(', ')}${more}`
}

/** `DE, org: 691 days before today: …`. */
export const pastLaneWords = ({ key, scope, ranges }: PastLane): string =>
  `${[key, scopeWords(scope)].filter(Boolean).join(', ')}, ${pastWords(ranges)}`

/** The values of a row as one text, to compare rows. */
function signature(sheet: Sheet, read: CellReader): string {
  const places = sheet.places.filter((place) => place.startsWith('body/values/') || place === 'body/priority')
  return JSON.stringify(places.map((place) => [place, read(place) ?? null]))
}
