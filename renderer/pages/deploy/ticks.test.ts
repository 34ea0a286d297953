// The selection on the Deploy page, over more differences than the page loads.
import { describe, expect, it } from 'vitest'
import { shallowRef } from 'vue'
import { createDeployTicks, type ShownComparison } from './deploy-ticks.ts'
import { agrees, differingRows, pickOf, type Differing, type TickFilter } from './ticks.ts'
import type { Comparison, ComparisonIndex } from '#wire/remotes.ts'

const many = 407
const id = (n: number): string => `config_entry/${n % 37 === 0 ? 'postage' : 'rates'}.e${n}`
const index: ComparisonIndex = {
  local: 'active',
  differing: [
    { state: 'only_local', drift: false, ids: Array.from({ length: many }, (_, n) => id(n)) },
    { state: 'both', drift: true, ids: ['value_set/both'] },
    { state: 'only_remote', drift: true, ids: ['value_set/theirs'] },
  ],
}
const all: TickFilter = { q: '' }

function deskOf(differing: readonly Differing[] = differingRows(index)) {
  const shown = shallowRef<ShownComparison | null>({ filter: all, differing })
  const desk = createDeployTicks(shown)
  return {
    desk,
    filter: (filter: TickFilter) => (shown.value = { filter, differing: shown.value!.differing }),
    differ: (rows: readonly Differing[]) => (shown.value = { filter: shown.value!.filter, differing: rows }),
    sent: () => pickOf(desk.ticks.value, desk.differing.value),
  }
}
const postage = index.differing[0]!.ids.filter((each) => each.includes('postage'))

describe('a selection covers rows that no page has loaded', () => {
  it('the default selection is sent without ids, and counted over everything', () => {
    const { desk, sent } = deskOf()
    expect(desk.tally.value).toEqual({ on: many, all: many + 2 })
    expect(sent()).toEqual({})
  })

  it('everything unselected and one filter selected sends only the rows of the filter', () => {
    const { desk, filter, sent } = deskOf()
    desk.tickMatching(false)
    expect(desk.tickedRows.value).toEqual([])
    expect(sent()).toEqual({ ids: [] })
    filter({ q: 'postage' })
    expect(desk.tally.value).toEqual({ on: 0, all: postage.length })
    desk.tickMatching(true)
    expect(desk.tally.value).toEqual({ on: postage.length, all: postage.length })
    expect(sent()).toEqual({ ids: postage })
    filter(all)
    expect(desk.tally.value).toEqual({ on: postage.length, all: many + 2 })
  })

  it('one selected row sends this row', () => {
    const { desk, sent } = deskOf()
    desk.tickMatching(false)
    desk.tick(id(406), true)
    expect(sent()).toEqual({ ids: [id(406)] })
  })

  it('a group is selected completely, within the filter', () => {
    const { desk, filter, sent } = deskOf()
    desk.tickGroup('entries rates', false)
    expect(desk.tallyOf('entries rates')).toEqual({ on: 0, all: many - postage.length })
    expect(sent()).toEqual({ ids: postage })
    filter({ q: '.e30' })
    desk.tickGroup('entries rates', true)
    filter(all)
    const ticked = index.differing[0]!.ids.filter((each) => each.includes('rates.e30'))
    expect(desk.tallyOf('entries rates').on).toBe(ticked.length)
  })

  it('everything selected includes what is not pushed by default, and unselecting one leaves it out', () => {
    const { desk, sent } = deskOf()
    desk.tickMatching(true)
    expect(desk.tickedRows.value).toHaveLength(many + 2)
    desk.tick('value_set/theirs', false)
    expect(sent().ids).toHaveLength(many + 1)
    expect(sent().ids).not.toContain('value_set/theirs')
  })

  it('nothing new is selected after everything was unselected, and nothing by others after everything was selected', () => {
    const late: Differing[] = [
      { id: 'app/new', state: 'only_local', drift: false },
      { id: 'app/theirs', state: 'both', drift: true },
    ]
    const none = deskOf()
    none.desk.tickMatching(false)
    none.differ([...differingRows(index), ...late])
    expect(none.desk.tickedRows.value).toEqual([])
    const whole = deskOf()
    whole.desk.tickMatching(true)
    whole.differ([...differingRows(index), ...late])
    expect(whole.desk.tickedRows.value).toHaveLength(many + 3)
    expect(whole.sent().ids).not.toContain('app/theirs')
  })

  it('names exceptions instead of very many ids', () => {
    const ids = Array.from({ length: 30_000 }, (_, n) => `config_entry/rates.e${n}`)
    const { desk, sent } = deskOf([
      ...ids.map((each): Differing => ({ id: each, state: 'only_local', drift: false })),
      { id: 'value_set/both', state: 'both', drift: true },
    ])
    desk.tick(ids[7]!, false)
    desk.tick('value_set/both', true)
    expect(sent()).toEqual({ except: [ids[7]], also: ['value_set/both'] })
  })

  it('the differences are read again if a page shows other components', () => {
    const counts = { same: 5, only_local: many, only_remote: 1, changed_local: 0, changed_remote: 0, both: 1 }
    const page = (row: Differing, only = counts): Comparison =>
      ({ counts: only, rows: [row] }) as unknown as Comparison
    const rows = differingRows(index)
    expect(agrees(rows, page(rows[0]!))).toBe(true)
    expect(agrees(rows, page({ ...rows[0]!, state: 'changed_local' }))).toBe(false)
    expect(agrees(rows, page({ ...rows[0]!, id: 'app/x' }))).toBe(false)
    expect(agrees(rows, page(rows[0]!, { ...counts, both: 2 }))).toBe(false)
  })
})
