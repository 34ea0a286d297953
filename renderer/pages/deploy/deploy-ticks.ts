// The ticks over the comparison: the rows of the filter, loaded or not, their groups, and everything.
import { computed, shallowRef, type Ref } from 'vue'
import { groupIdOf, isTicked, isUntouched, matches, initialTicks, withRows } from './ticks.ts'
import type { Differing, TickFilter, Ticks } from './ticks.ts'

/** What the page shows: the filter, and everything that differs, whether it matches or not. */
export interface ShownComparison {
  filter: TickFilter
  differing: readonly Differing[]
}

export interface Tally {
  on: number
  all: number
}

export function createDeployTicks(shown: Readonly<Ref<ShownComparison | null>>) {
  const ticks = shallowRef<Ticks>(initialTicks)
  const differing = computed(() => shown.value?.differing ?? [])
  const byId = computed(() => new Map(differing.value.map((row) => [row.id, row])))
  /** Everything that matches the filter, beyond the loaded rows too. */
  const matching = computed(() => {
    const { filter } = shown.value ?? {}
    return filter === undefined ? [] : differing.value.filter((row) => matches(filter, row))
  })
  const tickedRows = computed(() => differing.value.filter((row) => isTicked(ticks.value, row)))
  const groups = computed(() => {
    const byGroup = new Map<string, { rows: Differing[]; on: number }>()
    for (const row of matching.value) {
      const id = groupIdOf(row.id)
      const group = byGroup.get(id) ?? { rows: [], on: 0 }
      group.rows.push(row)
      if (isTicked(ticks.value, row)) group.on += 1
      byGroup.set(id, group)
    }
    return byGroup
  })
  const tally = computed((): Tally => {
    let on = 0
    for (const group of groups.value.values()) on += group.on
    return { on, all: matching.value.length }
  })

  return {
    ticks,
    differing,
    tickedRows,
    /** How many of what matches the filter are ticked. */
    tally,
    isUntouched: computed(() => isUntouched(ticks.value)),
    goes: (row: Differing): boolean => isTicked(ticks.value, row),
    tallyOf: (group: string): Tally => {
      const { rows, on } = groups.value.get(group) ?? { rows: [], on: 0 }
      return { on, all: rows.length }
    },
    tick: (id: string, on: boolean): void => {
      const row = byId.value.get(id)
      if (row !== undefined) ticks.value = withRows(ticks.value, [row], { on, everything: false })
    },
    tickGroup: (group: string, on: boolean): void => {
      const rows = groups.value.get(group)?.rows ?? []
      ticks.value = withRows(ticks.value, rows, { on, everything: false })
    },
    /** Ticks everything that matches the filter. */
    tickMatching: (on: boolean): void => {
      const everything = matching.value.length === differing.value.length
      ticks.value = withRows(ticks.value, matching.value, { on, everything })
    },
  }
}
