// Lanes name the days that are missing or counted twice, to the day.
import { describe, expect, it } from 'vitest'
import type { ComponentRow } from '../../api/wire.ts'
import { layOut } from './lanes.ts'

let next = 0
const row = (effectiveFrom: string, effectiveTo: string | null, scope: string = 'org'): ComponentRow => {
  const key = `vat_rate.e${next++}`
  const facts = { key: 'HR', scope, effectiveFrom, effectiveTo, values: { rate: '0.25' } }
  return {
    id: `config_entry/${key}`,
    type: 'config_entry',
    key,
    label: key,
    digest: null,
    draft: null,
    findings: 0,
    facts,
  }
}

describe('layOut', () => {
  it('names a gap of one day and of many', () => {
    const { lanes } = layOut([row('2012-03-01', '2022-12-31'), row('2023-01-01', null)], '2026-11-21')
    expect(lanes[0]!.faults.map(({ words }) => words)).toEqual(['no value on 31 Dec 2022'])
    const long = layOut([row('2000-01-01', '2001-01-01'), row('2002-01-01', null)], '2026-11-21')
    expect(long.lanes[0]!.faults[0]!.words).toBe('no value from 1 Jan 2001 to 31 Dec 2001')
  })

  it('names an overlap', () => {
    const { lanes } = layOut([row('2000-01-01', '2002-01-01'), row('2001-01-01', null)], '2026-11-21')
    expect(lanes[0]!.faults.map(({ words }) => words)).toEqual(['two values from 1 Jan 2001 to 31 Dec 2001'])
  })

  it('puts org last, each scope in its own lane, and rows without a date nowhere', () => {
    const { lanes } = layOut(
      [row('2000-01-01', null), row('2020-01-01', null, 'app=catering'), row('soon', null)],
      '2026-11-21',
    )
    expect(lanes.map(({ scope, bars }) => [scope, bars.length])).toEqual([
      ['app, catering', 1],
      ['org', 1],
    ])
  })

  it('keeps bars within the axis and in the order of time', () => {
    const { lanes, today } = layOut([row('1968-07-01', '2007-01-01'), row('2007-01-01', null)], '2026-11-21')
    const [first, second] = lanes[0]!.bars
    expect(first!.left).toBeGreaterThan(0)
    expect(first!.left + first!.width).toBeCloseTo(second!.left)
    expect(second!.left + second!.width).toBeCloseTo(100)
    expect(today).toBeGreaterThan(second!.left)
  })
})
