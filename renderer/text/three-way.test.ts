// Changes on one side are taken; changes on both sides are a choice; the choice is in the value.
import { describe, expect, it } from 'vitest'
import { mergeThreeWay, undecidedRows, type Side } from './three-way.ts'

const keys = { '/fields': 'key' }
const set = (label: string, ...fields: object[]) => ({ label, body: { fields } })
const field = (key: string, scale: number) => ({ key, scale })
const picked = (...picks: [string, Side][]) => new Map(picks)

describe('threeWay', () => {
  it('takes changes on only one side', () => {
    const sides = {
      base: set('Rate', field('rate', 2)),
      theirs: set('Rates', field('rate', 2)),
      mine: set('Rate', field('rate', 4)),
    }
    const { rows, value } = mergeThreeWay(sides, keys)
    expect(rows.map(({ path, changedBy }) => [path, changedBy])).toEqual([
      ['/label', 'theirs'],
      ['/body/fields/rate/scale', 'mine'],
    ])
    expect(value).toEqual(set('Rates', field('rate', 4)))
    expect(undecidedRows(rows, new Map())).toEqual([])
  })

  it('lets the user decide on changes on both sides, place by place', () => {
    const sides = {
      base: set('Rate', field('rate', 2)),
      theirs: set('Rates', field('rate', 3)),
      mine: set('Tax rate', field('rate', 4)),
    }
    const { rows } = mergeThreeWay(sides, keys)
    expect(undecidedRows(rows, picked(['/label', 'mine'])).map(({ path }) => path)).toEqual([
      '/body/fields/rate/scale',
    ])
    const { value } = mergeThreeWay(
      sides,
      keys,
      picked(['/label', 'mine'], ['/body/fields/rate/scale', 'base']),
    )
    expect(value).toEqual(set('Tax rate', field('rate', 2)))
  })

  it('keeps additions and removals of either side, in the order of the side that moved items', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((key) => field(key, 2)) as [object, object, object, object]
    const { value, rows } = mergeThreeWay(
      { base: set('S', a, b), theirs: set('S', a, b, c), mine: set('S', b, d) },
      keys,
    )
    expect(value).toEqual(set('S', b, c, d))
    expect(rows.map(({ path, changedBy }) => [path, changedBy])).toEqual([
      ['/body/fields/a', 'mine'],
      ['/body/fields/c', 'theirs'],
      ['/body/fields/d', 'mine'],
    ])
  })

  it('applies to the whole value if one side has none', () => {
    const sides = { base: set('S'), theirs: undefined, mine: set('T') }
    expect(mergeThreeWay(sides, keys).rows.map(({ path, changedBy }) => [path, changedBy])).toEqual([
      ['', 'both'],
    ])
    expect(mergeThreeWay(sides, keys, picked(['', 'mine'])).value).toEqual(set('T'))
    expect(mergeThreeWay(sides, keys, picked(['', 'theirs'])).value).toBeUndefined()
  })
})
