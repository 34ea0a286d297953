import { describe, expect, it } from 'vitest'
import { coverageFindings } from '../components/config-set/coverage.ts'
import type { Component, ComponentOf } from '../components/body-types.ts'
import { MemoryView } from '../components/memory-view.ts'
import { parseComponent } from '../components/parse.ts'
import { parseRepairChoice } from './repair-choice.ts'
import { repairFindings } from './repair.ts'

type Entry = ComponentOf<'config_entry'>

const set = parse({
  type: 'config_set',
  key: 'tax',
  label: 'Tax',
  body: {
    cardinality: 'keyed',
    keyedBy: { key: 'territory', type: 'text' },
    effectiveDated: true,
    asOfField: 'invoice.tax_point',
    fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
  },
}) as ComponentOf<'config_set'>

function parse(json: unknown): Component {
  const { component, findings } = parseComponent(json)
  if (component === null) throw new Error(JSON.stringify(findings))
  return component
}

function entry(
  slug: string,
  key: string,
  effectiveFrom: string,
  effectiveTo: string | null,
  rate = '0.1000',
): Entry {
  return parse({
    type: 'config_entry',
    key: `tax.${slug}`,
    label: slug,
    body: { set: 'tax', key, scope: { kind: 'org' }, effectiveFrom, effectiveTo, values: { rate } },
  }) as Entry
}

const holed = [
  entry('lu_1', 'LU', '2015-01-01', '2022-12-31'),
  entry('lu_2', 'LU', '2023-01-01', '2023-12-31'),
  entry('lu_3', 'LU', '2024-01-01', null),
  entry('gr', 'GR-69', '2010-07-01', '2016-06-01'),
]
const view = new MemoryView([set, ...holed])
const findings = ['LU', 'GR-69'].flatMap((key) =>
  coverageFindings(set, key, [...view.entriesAt('tax', key)], view),
)

function repair(...choices: string[]) {
  return repairFindings(findings, choices.map(parseRepairChoice), view)
}

/** `[first day, end]` of every entry after the repair, by key. */
function ranges(...choices: string[]): Record<string, unknown[]> {
  const { components, removals } = repair(...choices)
  const after = new Map(holed.map((one) => [one.key, one]))
  for (const one of components) after.set(one.key, one as Entry)
  for (const id of removals) after.delete(id.replace('config_entry/', ''))
  return Object.fromEntries(
    [...after].map(([key, { body }]) => [key.replace('tax.', ''), [body.effectiveFrom, body.effectiveTo]]),
  )
}

/** The ends of the rows of DE once each overlap is repaired by end_earlier. */
function afterEndEarlier(rows: Entry[], ...more: string[]) {
  const mine = new MemoryView([set, ...rows])
  const choices = ['config.range_overlap=end_earlier', ...more].map(parseRepairChoice)
  const found = coverageFindings(set, 'DE', rows, mine)
  const repaired = repairFindings(found, choices, mine)
  const after = new Map([...rows, ...(repaired.components as Entry[])].map((one) => [one.key, one]))
  const ends = [...after].map(([key, { body }]) => [key.replace('tax.', ''), body.effectiveTo ?? null])
  return { repaired, ends: Object.fromEntries(ends) as Record<string, unknown> }
}

describe('repairFindings', () => {
  it('does nothing without a choice', () => {
    expect(findings.map(({ code }) => code)).toEqual([
      'config.range_gap',
      'config.range_gap',
      'config.range_end',
    ])
    const { components, removals, unrepaired } = repair()
    expect([components, removals]).toEqual([[], []])
    expect(unrepaired).toHaveLength(3)
  })

  it('extends the earlier entries of all gaps', () => {
    expect(ranges('config.range_gap=extend_earlier')).toMatchObject({
      lu_1: ['2015-01-01', '2023-01-01'],
      lu_2: ['2023-01-01', '2024-01-01'],
      lu_3: ['2024-01-01', null],
      gr: ['2010-07-01', '2016-06-01'],
    })
  })

  it('applies the narrowest choice, so both sides of one entry can move', () => {
    expect(
      ranges('config.range_gap:LU@2022-12-31=extend_later', 'config.range_gap=extend_earlier'),
    ).toMatchObject({
      lu_1: ['2015-01-01', '2022-12-31'],
      lu_2: ['2022-12-31', '2024-01-01'],
    })
  })

  it('ends the earlier of two that overlap, and offers nothing if both start on one day', () => {
    const rows = [entry('a', 'DE', '2021-01-01', null), entry('b', 'DE', '2027-01-01', null)]
    const twins = [entry('a', 'DE', '2021-01-01', null), entry('b', 'DE', '2021-01-01', '2022-01-01')]
    const over = (entries: Entry[]) => {
      const mine = new MemoryView([set, ...entries])
      return repairFindings(
        coverageFindings(set, 'DE', entries, mine),
        [parseRepairChoice('config.range_overlap=end_earlier')],
        mine,
      )
    }
    expect(over(rows).components).toMatchObject([
      { key: 'tax.a', body: { effectiveFrom: '2021-01-01', effectiveTo: '2027-01-01' } },
    ])
    expect(over(twins)).toMatchObject({ components: [], findings: [{ code: 'repair.not_offered' }] })
  })

  it('ends each of many open-ended rows where the next begins', () => {
    const starts = ['2020-01-01', '2021-01-01', '2022-01-01', '2023-01-01']
    const { repaired, ends } = afterEndEarlier(starts.map((from, at) => entry(`r${at}`, 'DE', from, null)))
    expect(ends).toEqual({ r0: '2021-01-01', r1: '2022-01-01', r2: '2023-01-01', r3: null })
    expect([repaired.findings, repaired.unrepaired]).toEqual([[], []])
  })

  it('reports rows of the same day, which no choice can order, and repairs the rest', () => {
    const { repaired, ends } = afterEndEarlier([
      entry('a', 'DE', '2020-01-01', null),
      entry('b', 'DE', '2021-01-01', null),
      entry('twin', 'DE', '2021-01-01', null),
      entry('c', 'DE', '2022-01-01', null),
    ])
    expect(ends).toEqual({ a: '2021-01-01', b: '2022-01-01', twin: '2022-01-01', c: null })
    expect(repaired.findings).toMatchObject([
      { code: 'repair.not_offered', message: expect.stringMatching(/tax\.b .* and tax\.twin .* same day/) },
    ])
  })

  it('reports the gaps that ending a row leaves, and closes them by a second choice', () => {
    const rows = [
      entry('a', 'DE', '2020-01-01', null),
      entry('short', 'DE', '2020-06-01', '2020-07-01'),
      entry('c', 'DE', '2021-01-01', null),
    ]
    const { repaired, ends } = afterEndEarlier(rows)
    expect(ends).toEqual({ a: '2020-06-01', short: '2020-07-01', c: null })
    expect(repaired.unrepaired).toMatchObject([
      { code: 'config.range_gap', facts: { from: '2020-07-01', to: '2021-01-01' } },
    ])
    const both = afterEndEarlier(rows, 'config.range_gap=extend_earlier')
    expect(both.ends).toEqual({ a: '2020-06-01', short: '2021-01-01', c: null })
    expect([both.repaired.unrepaired, both.repaired.findings]).toEqual([[], []])
  })

  it('adds an entry with the given values and nothing else', () => {
    const { components } = repair('config.range_end:GR-69=set_value:rate=0.24')
    expect(components).toHaveLength(1)
    expect(components[0]).toMatchObject({
      key: 'tax.gr_69_2016_06_01',
      body: {
        key: 'GR-69',
        scope: { kind: 'org' },
        effectiveFrom: '2016-06-01',
        effectiveTo: null,
        values: { rate: '0.24' },
      },
    })
  })

  it('removes a key completely, even after a different repair changed it', () => {
    expect(
      Object.keys(ranges('config.range_gap:LU=drop_key', 'config.range_gap:LU@2022-12-31=extend_earlier')),
    ).toEqual(['gr'])
    expect(Object.keys(ranges('config.range_end=drop_key'))).toEqual(['lu_1', 'lu_2', 'lu_3'])
  })

  it('reports choices that it cannot apply', () => {
    const refused = repairFindings(
      findings,
      [
        { code: 'config.range_end', choice: 'extend_earlier' },
        parseRepairChoice('config.range_gap:FR@2022-12-30=extend_earlier'),
        { ...parseRepairChoice('config.range_gap:FR=extend_earlier'), set: 'tax' },
      ],
      view,
    )
    expect(refused.components).toEqual([])
    expect(refused.findings.map(({ code, severity, component }) => [code, severity, component])).toEqual([
      ['repair.not_offered', 'error', 'config_entry/tax.gr'],
      ['repair.not_needed', 'warning', 'config.range_gap:FR@2022-12-30=extend_earlier'],
      ['repair.not_needed', 'warning', 'config_set/tax'],
    ])
  })
})

describe('parseRepairChoice', () => {
  it.each([
    ['config.range_gap=extend_earlier', { code: 'config.range_gap', choice: 'extend_earlier' }],
    [
      'config.range_gap:GB-BFPO 57=extend_later',
      { code: 'config.range_gap', key: 'GB-BFPO 57', choice: 'extend_later' },
    ],
    [
      'config.range_end:A@2020-01-01=set_value:rate=0.19,currency=EUR',
      {
        code: 'config.range_end',
        key: 'A',
        day: '2020-01-01',
        choice: 'set_value',
        values: { rate: '0.19', currency: 'EUR' },
      },
    ],
  ])('reads %s', (text, choice) => expect(parseRepairChoice(text)).toEqual(choice))

  it.each([
    'extend_earlier',
    'config.range_gap',
    'config.range_gap=set_value',
    'config.range_gap=extend_last:rate=1',
  ])('refuses %s', (text) => expect(() => parseRepairChoice(text)).toThrow(/is not a (?:valid )?repair/))

  it.each([
    ['config.range_gap=foo', /"foo" is not a repair of config\.range_gap; the repairs are extend_earlier, /],
    ['config.range_gap=extend_latter', /Did you mean "extend_later"\?/],
    ['config.range_end=extend_earlier', /the repairs are extend_last, set_value, drop_key\./],
    ['config.foo=extend_last', /Findings with the code "config\.foo" cannot be repaired/],
    ['config.range_gab:DE=drop_key', /Did you mean "config\.range_gap"\?/],
  ])('suggests a repair for %s', (text, words) => expect(() => parseRepairChoice(text)).toThrow(words))

  it('includes every repair that a finding offers', () => {
    const twice = [entry('a', 'DE', '2021-01-01', null), entry('b', 'DE', '2027-01-01', null)]
    const all = [...findings, ...coverageFindings(set, 'DE', twice, new MemoryView([set, ...twice]))]
    const offered = all.flatMap(({ code, repairs }) => repairs!.map(({ choice }) => ({ code, choice })))
    expect(new Set(offered.map(({ choice }) => choice)).size).toBe(6)
    for (const { code, choice } of offered)
      expect(parseRepairChoice(`${code}=${choice}${choice === 'set_value' ? ':rate=1' : ''}`)).toMatchObject({
        code,
        choice,
      })
  })
})
