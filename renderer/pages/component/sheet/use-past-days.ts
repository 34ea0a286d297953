// Drafts of a sheet that change days before today: per lane for the timeline and the warning, per row for the sheet.
import { computed, type ComputedRef } from 'vue'
import { dayOf, parseCivilDate, type DayNumber } from '#kernel/dates/civil-date.ts'
import { scopeText } from '#kernel/components/scopes.ts'
import { useOrg } from '../../../stores/org.ts'
import type { EntrySet } from '../../../widgets/entry-set.ts'
import { rangeOf, scopeOf, type CellReader } from '../timeline/lanes.ts'
import type { OpenSheet } from './open-sheet.ts'
import { draftedKeys, pastOfKey, type PastLane, type PastRange } from './past-days.ts'
import type { RowId } from './sheet-rows.ts'

/** The most keys that are compared; a paste of a hundred thousand rows is not compared day by day. */
const mostKeys = 200

export interface PastDays {
  lanes: ComputedRef<PastLane[]>
  /** Whether more keys are drafted than were compared. */
  isPartial: ComputedRef<boolean>
  ofKey: (key: string | null) => readonly PastLane[]
  ofRow: (row: RowId) => PastRange[]
}

export function usePastDays(open: OpenSheet, declared: ComputedRef<EntrySet>): PastDays {
  const org = useOrg()
  const { sheet, changes } = open
  const today = computed<DayNumber | null>(() => {
    const date = parseCivilDate(org.today)
    return date === null || !declared.value.dated ? null : dayOf(date)
  })
  const drafted = computed(() => {
    void changes.value
    return today.value === null
      ? new Set<string | null>()
      : draftedKeys(sheet, declared.value.keyedBy !== null)
  })
  /** By key; cached until anything changes. */
  const lanesByKey = computed(
    () => (void changes.value, void today.value, new Map<string | null, PastLane[]>()),
  )

  function ofKey(key: string | null): readonly PastLane[] {
    if (today.value === null || !drafted.value.has(key)) return []
    let lanes = lanesByKey.value.get(key)
    if (lanes === undefined) lanesByKey.value.set(key, (lanes = pastOfKey(sheet, key, today.value)))
    return lanes
  }

  /** The changed days of its lane on which the row counts or counted. */
  function ofRow(row: RowId): PastRange[] {
    if (sheet.editOf(row) === undefined) return []
    const sides: CellReader[] = [(place) => sheet.value(row, place)]
    if (row >= 0) sides.push((place) => sheet.base.value(row, place))
    const ranges = sides.flatMap((read) => {
      const [key, scope, range] = [read('body/key'), scopeOf(read), rangeOf(read)]
      if (scope === null || range === null) return []
      const lane = ofKey(typeof key === 'string' ? key : null).find(
        (each) => scopeText(each.scope) === scopeText(scope),
      )
      return (lane?.ranges ?? []).flatMap(({ from, to }) => {
        const first = Math.max(from, range.from) as DayNumber
        const end = (range.to === null ? to : Math.min(to, range.to)) as DayNumber
        return first < end ? [{ from: first, to: end }] : []
      })
    })
    return mergeRanges(ranges)
  }

  const lanes = computed(() => [...drafted.value].slice(0, mostKeys).flatMap((key) => ofKey(key)))
  return { lanes, isPartial: computed(() => drafted.value.size > mostKeys), ofKey, ofRow }
}

function mergeRanges(ranges: readonly PastRange[]): PastRange[] {
  const all: PastRange[] = []
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last !== undefined && range.from <= last.to) last.to = Math.max(last.to, range.to) as DayNumber
    else all.push({ ...range })
  }
  return all
}
