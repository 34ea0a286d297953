// The default points: today in the active generation, and what was known before the last change to the key.
import { defineStore } from 'pinia'
import { shallowReactive } from 'vue'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { KeyHistoryRow, TimePoint } from '../../api/points.ts'
import { useOrg } from '../../stores/org.ts'

export const useTimePoints = defineStore('time-points', () => {
  const org = useOrg()
  /** The generation before the last change, by set and key; two pages can show two of them. */
  const before = shallowReactive(new Map<string, number>())
  const nameOf = (set: string, key: string | null): string => `${set}\n${key ?? ''}`

  function recordLastChange(set: string, key: string | null, generations: readonly KeyHistoryRow[]): void {
    const row = generations[1] ?? generations[0]
    if (row !== undefined) before.set(nameOf(set, key), row.generation)
  }
  function defaultPoints(set: string, key: string | null): { a: TimePoint; b: TimePoint } {
    const asOf = parseCivilDate(org.today) ?? parseCivilDate('2000-01-01')!
    const active = org.org?.generation.generation ?? 0
    const earlier = before.get(nameOf(set, key)) ?? active
    return { a: { generation: earlier, asOf }, b: { generation: active, asOf } }
  }
  return { learn: recordLastChange, usual: defaultPoints }
})
