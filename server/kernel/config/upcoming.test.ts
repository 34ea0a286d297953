import { describe, expect, it } from 'vitest'
import { component } from '../components/rule-fixture.ts'
import type { Component, ComponentOf } from '../components/body-types.ts'
import { dayOf, type CivilDate } from '../dates/civil-date.ts'
import type { Digest } from '../change/digest.ts'
import { buildSetSlice } from './slice.ts'
import { upcomingDays } from './upcoming.ts'

const set = component('config_set/rate', {
  cardinality: 'keyed',
  keyedBy: { key: 'territory', type: 'text' },
  effectiveDated: true,
  asOfField: 'invoice.tax_point',
  scopes: ['org', 'environment'],
  fields: [{ key: 'rate', type: 'number', precision: 6, scale: 2, required: true }],
})
const entry = (
  slug: string,
  key: string,
  from: string,
  to: string | null,
  rate: string,
  scope = {},
): Component =>
  component(`config_entry/rate.${slug}`, {
    set: 'rate',
    key,
    scope: { kind: 'org', ...scope },
    effectiveFrom: from,
    effectiveTo: to,
    values: { rate },
  })
const upcoming = (entries: Component[], until = '2027-02-19', most = 10) =>
  upcomingDays(
    buildSetSlice(set, entries as ComponentOf<'config_entry'>[], 'jcs1:sha256:00' as Digest),
    '2026-11-21' as CivilDate,
    until as CivilDate,
    most,
  )
const day = (date: string): number => dayOf(date as CivilDate)

describe('upcomingDays', () => {
  it('shows a row that begins, with what it replaces', () => {
    const days = upcoming([
      entry('a', 'DE', '2020-01-01', '2027-01-01', '0.19'),
      entry('b', 'DE', '2027-01-01', null, '0.21'),
    ])
    expect(days).toMatchObject([
      {
        day: day('2027-01-01'),
        total: 1,
        changes: [{ key: 'DE', entry: 'rate.b', before: { rate: '0.19' }, after: { rate: '0.21' } }],
      },
    ])
  })

  it('shows the end of a narrower row, and the start of one that follows a gap', () => {
    const test = { kind: 'environment', environment: 'test' }
    const days = upcoming([
      entry('a', 'DE', '2020-01-01', null, '0.19'),
      entry('t', 'DE', '2026-01-01', '2026-12-01', '0.10', test),
      entry('u', 'DE', '2027-01-01', null, '0.11', test),
    ])
    expect(days).toMatchObject([
      { day: day('2026-12-01'), changes: [{ entry: 'rate.t', before: { rate: '0.10' }, after: null }] },
      { day: day('2027-01-01'), changes: [{ entry: 'rate.u', before: null, after: { rate: '0.11' } }] },
    ])
  })

  it('excludes today, the past and days after the last day', () => {
    const row = (from: string) => entry(`r${from.replaceAll('-', '_')}`, from, from, null, '1')
    const found = upcoming(['2026-11-20', '2026-11-21', '2026-11-22', '2027-02-19', '2027-02-20'].map(row))
    expect(found.map((each) => each.day)).toEqual([day('2026-11-22'), day('2027-02-19')])
  })

  it('lists the first changes of a day and counts them all', () => {
    const days = upcoming(
      ['A', 'B', 'C'].map((key) => entry(key.toLowerCase(), key, '2027-01-01', null, '1')),
      '2027-02-19',
      2,
    )
    expect(days).toMatchObject([{ total: 3, changes: [{}, {}] }])
  })
})
