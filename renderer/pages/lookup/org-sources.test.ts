import { describe, expect, it } from 'vitest'
import type { ComponentRow } from '../../api/wire.ts'
import { keyRows } from './org-sources.ts'

const entry = (key: string | null, effectiveFrom: string | null, rate: string): ComponentRow =>
  ({ facts: { key, effectiveFrom, values: { rate } } }) as unknown as ComponentRow

describe('the keys of a set', () => {
  it('are returned once, from all of their entries, on any page', () => {
    const rows = [
      entry('HR', '2012-03-01', '0.25'),
      entry('DE', '1998-04-01', '0.16'),
      entry('HR', '2023-01-01', '0.13'),
      entry('DE', null, '0.1'),
      entry(null, null, '1'),
      entry('HR', '2020-01-01', '0.3'),
    ]
    expect(keyRows(rows)).toEqual([
      { key: 'DE', value: 'rate 0.16', since: 'since 1998-04-01', entries: '2 entries' },
      { key: 'HR', value: 'rate 0.13', since: 'since 2023-01-01', entries: '3 entries' },
    ])
  })
})
