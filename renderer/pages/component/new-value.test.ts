// A new value ends the row that counts, starts on its day, and lasts as long as what it replaces.
import { describe, expect, it } from 'vitest'
import type { ComponentRow } from '../../api/wire.ts'
import { entryKeyFor, newValueFrom } from './new-value.ts'

const row = (key: string, effectiveFrom: string, effectiveTo: string | null): ComponentRow => ({
  id: `config_entry/vat_rate.${key}`,
  type: 'config_entry',
  key: `vat_rate.${key}`,
  label: key,
  digest: null,
  draft: null,
  findings: 0,
  facts: { key: 'DE', effectiveFrom, effectiveTo },
})
const first = row('first', '2007-01-01', '2020-07-01')
const second = row('second', '2020-07-01', '2021-01-01')
const open = row('open', '2021-01-01', null)

describe('newValueFrom', () => {
  it('ends the open row and stays open', () =>
    expect(newValueFrom([first, second, open], '2027-01-01')).toEqual({
      ends: open,
      replaces: null,
      to: null,
    }))

  it('stays within the row that it cuts', () =>
    expect(newValueFrom([first, second], '2010-01-01')).toEqual({
      ends: first,
      replaces: null,
      to: '2020-07-01',
    }))

  it('takes the place of a row that starts on the day', () =>
    expect(newValueFrom([first, second, open], '2020-07-01')).toEqual({
      ends: null,
      replaces: second,
      to: '2021-01-01',
    }))

  it('reaches to the next row where none counts', () => {
    expect(newValueFrom([open], '2019-01-01')).toEqual({ ends: null, replaces: null, to: '2021-01-01' })
    expect(newValueFrom([second], '2021-01-01')).toEqual({ ends: null, replaces: null, to: null })
  })
})

describe('entryKeyFor', () => {
  it('makes a lawful key of whatever the business key is', () => {
    expect(entryKeyFor('vat_rate', ['GR-69', 'app, Café', '2027-01-01'], new Set())).toBe(
      'vat_rate.gr_69_app_cafe_2027_01_01',
    )
    expect(entryKeyFor('rate', ['7', null], new Set())).toBe('rate.e_7')
    expect(entryKeyFor('rate', ['–'], new Set())).toBe('rate.e')
  })

  it('numbers a key that is taken', () =>
    expect(entryKeyFor('rate', ['DE'], new Set(['rate.de', 'rate.de_2']))).toBe('rate.de_3'))
})
