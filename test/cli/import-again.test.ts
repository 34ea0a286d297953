// A file that was repaired and is imported again changes nothing, for each repair and each way to import.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { almanac, invoice, scratch, vatRate, writeComponents } from './almanac.ts'

const dir = scratch()
const file = join(dir, 'rates.csv')
// GAP has a gap of one day, END ends; both have an earlier row without a fault.
const rows = [
  'code,from,to,rate',
  'GAP,2019-01-01,2020-01-01,0.1',
  'GAP,2020-01-01,2022-12-31,0.2',
  'GAP,2023-01-01,,0.3',
  'END,2019-01-01,2020-01-01,0.1',
  'END,2020-01-01,2021-01-01,0.2',
]
writeFileSync(file, rows.join('\n'))
const map = JSON.stringify({
  create: [invoice, vatRate],
  key: 'code',
  from: 'from',
  to: 'to',
  values: { rate: 'rate' },
})

function orgOf(name: string) {
  const org = join(dir, name)
  almanac(['init', org])
  const at = (...args: string[]) => almanac([...args, '--org', org, '--json'])
  const importing = (...args: string[]) => at('import', 'vat_rate', file, '--map', map, ...args)
  return { at, importing }
}

const nothing = { changes: [], drafts: 0, findings: [] }

describe.each([
  ['extend_earlier', 'extend_last'],
  ['extend_later', 'set_value:rate=0.5'],
  ['set_value:rate=0.4', 'drop_key'],
  ['drop_key', 'extend_last'],
])('a gap fixed by %s and an end by %s', (gap, end) => {
  const repairs = ['--repair', `config.range_gap=${gap}`, `config.range_end=${end}`]

  it('are kept if the drafts were applied with them', () => {
    const { at, importing } = orgOf(`drafts-${gap}`.replace(/\W/g, '_'))
    expect(importing().code).toBe(0)
    expect(at('apply', '--drafts', ...repairs)).toMatchObject({ code: 0, err: '' })
    expect(importing().json()).toMatchObject(nothing)
    expect(importing().json()).toMatchObject(nothing)
  })

  it('are kept if the file was imported with them', () => {
    const { importing } = orgOf(`import-${gap}`.replace(/\W/g, '_'))
    expect(importing(...repairs, '--apply')).toMatchObject({ code: 0, err: '' })
    expect(importing().json()).toMatchObject(nothing)
    expect(importing().json()).toMatchObject(nothing)
  })
})

it('a removed row stays removed until the file contains it', () => {
  const { at, importing } = orgOf('removed')
  expect(
    importing('--repair', 'config.range_gap=drop_key', 'config.range_end=extend_last', '--apply').code,
  ).toBe(0)
  writeFileSync(file, rows.map((row) => row.replace('2022-12-31', '2023-01-01')).join('\n'))
  expect(importing().json()['changes']).toMatchObject([{ id: 'config_entry/vat_rate.gap_2020_01_01' }])
  at('drafts', '--discard')
  writeFileSync(file, rows.join('\n'))
  // --again takes every row, and rows that were only drafts are added again.
  expect(importing('--again').json()['changes']).toHaveLength(4)
  at('drafts', '--discard')
  expect(importing().json()['changes']).toHaveLength(3)
})

it('an import stays the same after its set was renamed', () => {
  const { at, importing } = orgOf('renamed')
  const repairs = ['--repair', 'config.range_gap=extend_earlier', 'config.range_end=drop_key']
  expect(importing(...repairs, '--apply').code).toBe(0)
  const renamed = { ...vatRate, key: 'vat', renamedFrom: 'vat_rate' }
  expect(at('apply', writeComponents(join(dir, 'renamed_set'), [renamed])).code).toBe(0)
  const columns = JSON.stringify({ key: 'code', from: 'from', to: 'to', values: { rate: 'rate' } })
  expect(at('import', 'vat', file, '--map', columns).json()).toMatchObject(nothing)
})
