// The whole task on the real table: import, find its faults, choose repairs, apply, resolve, retrieve.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { almanac, invoice, root, scratch, vatRate } from './almanac.ts'

const table = join(root, '..', 'shared', 'data', 'vat_rates.csv')
const here = existsSync(table)

interface Found {
  code: string
  component: string
  message: string
  related: { component: string }[]
  facts: Record<string, string>
}

const map = JSON.stringify({
  create: [
    invoice,
    {
      ...vatRate,
      body: { ...vatRate.body, fields: [...vatRate.body.fields, { key: 'currency', type: 'text' }] },
    },
  ],
  key: 'territory_codes',
  split: '\n',
  from: 'start_date',
  to: 'stop_date',
  values: { rate: 'rate', currency: 'currency_code' },
})

describe.skipIf(!here)(`the VAT table${here ? '' : ' (skipped: ../shared/data is not there)'}`, () => {
  const dir = here ? scratch() : ''
  const org = join(dir, 'org')
  const at = (...args: string[]) => almanac([...args, '--org', org])
  const importing = (...args: string[]) => at('import', 'vat_rate', table, '--map', map, '--json', ...args)
  const all = ['config.range_gap=extend_earlier', 'config.range_end=extend_last']
  let findings: Found[] = []

  beforeAll(() => {
    almanac(['init', org])
    const imported = importing()
    expect(imported.err).toBe('')
    expect(imported.json()).toMatchObject({ rows: 241, keys: 155, entries: 331, drafts: 333 })
    findings = (at('validate', '--drafts', '--json').json() as unknown as { findings: Found[] }).findings
  })

  it('has five inner gaps, each with both entries and dates', () => {
    const gaps = findings.filter(({ code }) => code === 'config.range_gap')
    expect(
      gaps
        .map(({ facts, component, related }) => [
          facts['key'],
          facts['from'],
          facts['to'],
          component,
          related[0]!.component,
        ])
        .sort(),
    ).toEqual([
      [
        'CH',
        '2017-12-31',
        '2018-01-01',
        'config_entry/vat_rate.ch_2017_01_01',
        'config_entry/vat_rate.ch_2018_01_01',
      ],
      [
        'HR',
        '2022-12-31',
        '2023-01-01',
        'config_entry/vat_rate.hr_2012_03_01',
        'config_entry/vat_rate.hr_2023_01_01',
      ],
      [
        'JP',
        '2019-09-30',
        '2019-10-01',
        'config_entry/vat_rate.jp_2015_10_01',
        'config_entry/vat_rate.jp_2019_10_01',
      ],
      [
        'LU',
        '2022-12-31',
        '2023-01-01',
        'config_entry/vat_rate.lu_2015_01_01',
        'config_entry/vat_rate.lu_2023_01_01',
      ],
      [
        'LU',
        '2023-12-31',
        '2024-01-01',
        'config_entry/vat_rate.lu_2023_01_01',
        'config_entry/vat_rate.lu_2024_01_01',
      ],
    ])
    expect(gaps[0]!.message).toMatch(
      /vat_rate\.ch_2017_01_01 ends on 30 Dec 2017, and vat_rate\.ch_2018_01_01 starts on 1 Jan 2018/,
    )
  })

  it('has 22 Greek keys whose last range ends, each with its last entry and date, and no other fault', () => {
    const ends = findings.filter(({ code }) => code === 'config.range_end')
    expect(ends).toHaveLength(22)
    for (const { facts, message, component } of ends) {
      expect(facts).toMatchObject({ key: expect.stringMatching(/^(GR|EL)-/) as string, endsOn: '2016-06-01' })
      expect(message).toContain('from 1 Jun 2016')
      expect(message).toContain(component.replace('config_entry/', ''))
    }
    expect(findings).toHaveLength(27)
  })

  it('repairs only what is requested: one finding, one key, one kind', () => {
    const left = (...repairs: string[]) => {
      const { findings: rest } = at(
        'validate',
        '--drafts',
        '--json',
        ...repairs.flatMap((choice) => ['--repair', choice]),
      ).json() as unknown as { findings: Found[] }
      return rest.map(({ code, facts }) => `${code} ${facts['key']} ${facts['from'] ?? ''}`)
    }
    expect(left('config.range_gap:LU@2022-12-31=extend_later')).toHaveLength(26)
    expect(
      left('config.range_gap:LU=extend_earlier').filter((text) => text.startsWith('config.range_gap')),
    ).toHaveLength(3)
    expect(left('config.range_end=drop_key')).toHaveLength(5)
    expect(left('config.range_end:GR-81=set_value:rate=0.24,currency=EUR')).toHaveLength(26)
    expect(left()).toHaveLength(27)
    expect(at('generations', '--json').json()).toMatchObject({ active: 1 })
  })

  it('is refused unrepaired, and applies as one generation with choices', () => {
    expect(at('apply', '--drafts', '--json')).toMatchObject({ code: 1 })
    const diff = at('diff', '--drafts', '--json', '--repair', ...all)
    expect([diff.code, (diff.json()['changes'] as unknown as unknown[]).length]).toEqual([3, 333])
    const applied = at('apply', '--drafts', '--repair', ...all, '--json')
    expect(applied.json()).toMatchObject({ generation: 2, findings: [] })
    expect(at('drafts', '--json').json()).toEqual({ drafts: [] })
  })

  it('imports again and changes nothing; --again shows what the file contains', () => {
    expect(importing().json()).toMatchObject({ entries: 331, keptAsEdited: 27, changes: [], drafts: 0 })
    expect(importing('--repair', ...all, '--again').json()).toMatchObject({ changes: [] })
    expect(importing('--again', '--out', join(dir, 'again')).json()['changes']).toHaveLength(27)
    expect(at('drafts', '--json').json()).toEqual({ drafts: [] })
  })

  it.each([
    ['1968-06-30', '0.1000'],
    ['1968-07-01', '0.1100'],
    ['2006-12-31', '0.1600'],
    ['2007-01-01', '0.1900'],
    ['2020-08-01', '0.1600'],
    ['2021-01-01', '0.1900'],
  ])('resolves DE on %s to %s', (asOf, rate) =>
    expect(at('resolve', 'vat_rate', '--key', 'DE', '--as-of', asOf, '--field', 'rate').out).toBe(
      `${rate}\n`,
    ),
  )

  it('refuses a date before the first rate by name', () => {
    const refused = at('resolve', 'vat_rate', '--key', 'DE', '--as-of', '1967-12-31', '--json')
    expect([refused.code, refused.json()]).toMatchObject([
      1,
      { code: 'config.not_effective', detail: expect.stringContaining('1968-01-01') as string },
    ])
  })

  it('retrieves, applies and retrieves the same bytes, here and in another org', () => {
    const [first, second, other] = [join(dir, 'first'), join(dir, 'second'), join(dir, 'other')]
    at('retrieve', '--out', first)
    expect(at('apply', first, '--json').json()).toMatchObject({ generation: 2, changes: [] })
    at('retrieve', '--out', second)
    expect(filesOf(second)).toEqual(filesOf(first))
    almanac(['init', other])
    expect(almanac(['apply', first, '--org', other]).code).toBe(0)
    almanac(['retrieve', '--out', join(dir, 'third'), '--org', other])
    const [mine, theirs] = [filesOf(first), filesOf(join(dir, 'third'))]
    mine.delete('almanac.json')
    theirs.delete('almanac.json')
    expect(theirs).toEqual(mine)
    expect(mine.size).toBe(331 + 2 + 2)
  })
})

function filesOf(dir: string): Map<string, string> {
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.json'),
  )
  return new Map(paths.sort().map((path) => [path, readFileSync(join(dir, path), 'utf8')]))
}
