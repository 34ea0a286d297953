// The points that stand where nothing is typed: the present, and what was known before the last change of the key.
import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { KeyMapView, Point } from '../../api/points.ts'
import { useOrg } from '../../stores/org.ts'

export const useTimePoints = defineStore('time-points', () => {
  const org = useOrg()
  /** The map that the page shows; null while there is none. */
  const map = shallowRef<KeyMapView | null>(null)
  const points = computed<{ a: Point; b: Point }>(() => {
    const asOf = parseCivilDate(org.today) ?? parseCivilDate('2000-01-01')!
    const active = org.org?.generation.generation ?? 0
    const rows = map.value?.generations ?? []
    const before = rows[1] ?? rows[0]
    return {
      a: { generation: before?.generation ?? active, asOf },
      b: { generation: active, asOf },
    }
  })
  return { map, points }
})
