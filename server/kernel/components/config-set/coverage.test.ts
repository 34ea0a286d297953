import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from '../../dates/civil-date.ts'
import type { Finding } from '../../errors/finding.ts'
import type { ComponentOf } from '../body-types.ts'
import { component, contextOf, date } from '../rule-fixture.ts'
import { coverageFindings, missingOrgEntryFinding } from './coverage.ts'

const dated = component('config_set/vat_rate', {
  cardinality: 'keyed',
  keyedBy: { key: 'territory', type: 'text' },
  scopes: ['permission_set', 'environment', 'org'],
  effectiveDated: true,
  asOfField: 'invoice.tax_date',
  fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4 }],
})
const undated = component('config_set/limit', {
  cardinality: 'singleton',
  scopes: ['permission_set', 'environment', 'org'],
  fields: [],
})
const flag = component('feature_flag/fresh', {
  owner: 'user:mara',
  expiresOn: '2027-01-01',
  scopes: ['permission_set', 'environment', 'org'],
})

const org = { kind: 'org' }
const prod = { kind: 'environment', environment: 'prod' }
const holders = (permissionSet: string) => ({ kind: 'permission_set', permissionSet })

function entry(
  slug: string,
  scope: object,
  from?: string,
  to?: string,
  priority?: number,
): ComponentOf<'config_entry'> {
  const dates =
    from === undefined ? {} : { effectiveFrom: from, ...(to === undefined ? {} : { effectiveTo: to }) }
  const body = {
    set: 'vat_rate',
    key: 'DE',
    scope,
    ...dates,
    ...(priority === undefined ? {} : { priority }),
    values: {},
  }
  return component(`config_entry/vat_rate.${slug}`, body)
}

function check(
  entries: ComponentOf<'config_entry'>[],
  target: Parameters<typeof coverageFindings>[0] = dated,
): Finding[] {
  return coverageFindings(target, target === dated ? 'DE' : null, entries, contextOf([]).view)
}

const named = (findings: Finding[]) =>
  findings.map(({ code, component, related }) =>
    [code, component, ...related.map((place) => place.component)].join(' '),
  )

describe('entries of an effective-dated set', () => {
  const cases: [string, ComponentOf<'config_entry'>[], string[]][] = [
    [
      'meet where one ends and the next starts',
      [entry('a', org, '2020-01-01', '2021-01-01'), entry('b', org, '2021-01-01')],
      [],
    ],
    [
      'overlap by a day',
      [entry('a', org, '2020-01-01', '2021-01-02'), entry('b', org, '2021-01-01')],
      ['config.range_overlap config_entry/vat_rate.b config_entry/vat_rate.a'],
    ],
    [
      'leave a day uncovered',
      [entry('b', org, '2021-01-02'), entry('a', org, '2020-01-01', '2021-01-01')],
      ['config.range_gap config_entry/vat_rate.a config_entry/vat_rate.b'],
    ],
    [
      'end at org',
      [entry('a', org, '2020-01-01', '2021-01-01')],
      ['config.range_end config_entry/vat_rate.a'],
    ],
    [
      'can end at a narrower scope',
      [entry('a', org, '2020-01-01'), entry('b', prod, '2020-01-01', '2021-01-01')],
      [],
    ],
    [
      'cannot have a gap at a narrower scope',
      [
        entry('a', org, '2020-01-01'),
        entry('b', prod, '2020-01-01', '2021-01-01'),
        entry('c', prod, '2022-01-01', '2023-01-01'),
      ],
      ['config.range_gap config_entry/vat_rate.b config_entry/vat_rate.c'],
    ],
    [
      'lack org',
      [entry('a', prod, '2020-01-01'), entry('b', holders('x'), '2020-01-01', undefined, 1)],
      ['config.org_missing config_entry/vat_rate.a config_entry/vat_rate.b'],
    ],
    [
      'of two permission sets tie',
      [
        entry('a', org, '2020-01-01'),
        entry('b', holders('x'), '2020-01-01', undefined, 5),
        entry('c', holders('y'), '2021-01-01', undefined, 5),
      ],
      ['config.permission_tie config_entry/vat_rate.c config_entry/vat_rate.b'],
    ],
    [
      'of two permission sets differ in priority',
      [
        entry('a', org, '2020-01-01'),
        entry('b', holders('x'), '2020-01-01', undefined, 5),
        entry('c', holders('y'), '2021-01-01', undefined, 6),
      ],
      [],
    ],
    [
      'of two permission sets never meet',
      [
        entry('a', org, '2020-01-01'),
        entry('b', holders('x'), '2020-01-01', '2021-01-01', 5),
        entry('c', holders('y'), '2021-01-01', undefined, 5),
      ],
      [],
    ],
    [
      'of one permission set follow each other, and the second ties with another set',
      [
        entry('a', org, '2020-01-01'),
        entry('b', holders('x'), '2020-01-01', undefined, 5),
        entry('c', holders('y'), '2020-06-01', '2020-07-01', 5),
        entry('d', holders('y'), '2020-07-01', '2020-08-01', 5),
      ],
      [
        'config.permission_tie config_entry/vat_rate.c config_entry/vat_rate.b',
        'config.permission_tie config_entry/vat_rate.d config_entry/vat_rate.b',
      ],
    ],
  ]
  it.each(cases)('%s', (_name, entries, expected) => expect(named(check(entries))).toEqual(expected))

  it('name a gap by both entries, its first and last day, and the ways to close it', () => {
    const [gap] = check([entry('a', org, '2009-01-01', '2010-01-01'), entry('b', org, '2012-03-01')])
    expect(gap?.message).toBe(
      'vat_rate "DE" at org has no value 1 Jan 2010 to 29 Feb 2012: vat_rate.a ends on 31 Dec 2009, and vat_rate.b starts on 1 Mar 2012. ' +
        'Extend one of the two, or add an entry for these days.',
    )
    expect(gap?.facts).toEqual({
      set: 'vat_rate',
      key: 'DE',
      scope: 'org',
      from: '2010-01-01',
      to: '2012-03-01',
      earlier: 'vat_rate.a',
      later: 'vat_rate.b',
    })
    expect(gap?.repairs?.map(({ choice }) => choice)).toEqual([
      'extend_earlier',
      'extend_later',
      'set_value',
      'drop_key',
    ])
    expect(gap?.path).toBe('/body/effectiveTo')
  })

  it('name a single day as one', () => {
    const [gap] = check([entry('a', org, '2020-01-01', '2022-12-31'), entry('b', org, '2023-01-01')])
    expect(gap?.message).toContain('has no value on 31 Dec 2022:')
  })

  it('name an end by its last entry, the first day without a value, and the fixes', () => {
    const [end] = check([entry('a', org, '2019-01-01', '2020-01-01')])
    expect(end?.message).toContain(
      'vat_rate "DE" has no value from 1 Jan 2020: its last org entry, vat_rate.a, ends on 31 Dec 2019.',
    )
    expect(end?.facts).toEqual({
      set: 'vat_rate',
      key: 'DE',
      scope: 'org',
      last: 'vat_rate.a',
      endsOn: '2020-01-01',
    })
    expect(end?.repairs?.map(({ choice }) => choice)).toEqual(['extend_last', 'set_value', 'drop_key'])
  })

  it('name an overlap by both entries and their common days', () => {
    const [overlap] = check([entry('a', org, '2020-01-01', '2021-01-01'), entry('b', org, '2020-12-01')])
    expect(overlap?.message).toContain(
      'vat_rate.a (1 Jan 2020 to 31 Dec 2020) and vat_rate.b (from 1 Dec 2020) overlap',
    )
    expect(overlap?.facts).toMatchObject({ from: '2020-12-01', to: '2021-01-01' })
  })
})

describe('entries of other sets and flags', () => {
  it('occur once at each scope', () => {
    expect(named(check([entry('a', org), entry('b', prod), entry('c', prod)], undated))).toEqual([
      'config.duplicate_entry config_entry/vat_rate.c config_entry/vat_rate.b',
    ])
  })
  it('of permission sets tie on every day', () => {
    const entries = [
      entry('o', org),
      entry('a', holders('x'), undefined, undefined, 1),
      entry('b', holders('y'), undefined, undefined, 1),
    ]
    expect(named(check(entries, undated))).toEqual([
      'config.permission_tie config_entry/vat_rate.b config_entry/vat_rate.a',
    ])
  })
  it('need an org entry if there is a narrower one, except for a flag', () => {
    expect(named(check([entry('a', prod)], undated))).toEqual(['config.org_missing config_entry/vat_rate.a'])
    expect(check([entry('a', prod)], flag)).toEqual([])
    expect(check([], undated)).toEqual([])
  })
  it('of a singleton that logic reads include one at org', () => {
    expect(missingOrgEntryFinding(undated, [entry('a', prod)])?.code).toBe('config.org_missing')
    expect(missingOrgEntryFinding(undated, [entry('a', prod), entry('b', org)])).toBeNull()
    expect(missingOrgEntryFinding(dated, [])).toBeNull()
  })
})

describe('coverage of one scope against a count of days', () => {
  const start = date('2020-01-01')
  const span = fc.record({ from: fc.nat(20), length: fc.option(fc.integer({ min: 1, max: 8 })) })

  it('finds an overlap, a gap and an end if and only if the days have one', () => {
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 8 }), (spans) => {
        const entries = spans.map(({ from, length }, at) =>
          entry(
            `e${at}`,
            org,
            addDays(start, from),
            length === null ? undefined : addDays(start, from + length),
          ),
        )
        const covers = (day: number) =>
          spans.filter(({ from, length }) => day >= from && (length === null || day < from + length)).length
        const days = Array.from({ length: 40 }, (_, day) => covers(day))
        const first = days.findIndex((count) => count > 0)
        const last = days.findLastIndex((count) => count > 0)
        const codes = new Set(check(entries).map(({ code }) => code))
        expect(codes.has('config.range_overlap')).toBe(days.some((count) => count > 1))
        expect(codes.has('config.range_gap')).toBe(days.slice(first, last).includes(0))
        expect(codes.has('config.range_end')).toBe(days.at(-1) === 0)
      }),
    )
  })

  it('finds a tie for each entry that shares a day with an earlier one of a different permission set', () => {
    const held = fc.record({
      from: fc.nat(20),
      length: fc.integer({ min: 1, max: 8 }),
      set: fc.constantFrom('x', 'y', 'z'),
    })
    fc.assert(
      fc.property(fc.array(held, { maxLength: 8 }), (spans) => {
        const ordered = spans.toSorted((a, b) => a.from - b.from || a.length - b.length)
        const entries = ordered.map(({ from, length, set }, at) =>
          entry(`e${at}`, holders(set), addDays(start, from), addDays(start, from + length), 1),
        )
        const tied = ordered.flatMap((later, at) =>
          ordered
            .slice(0, at)
            .some(({ from, length, set }) => set !== later.set && from + length > later.from)
            ? [`config_entry/vat_rate.e${at}`]
            : [],
        )
        const ties = check([...entries, entry('org', org, '2000-01-01')]).filter(
          ({ code }) => code === 'config.permission_tie',
        )
        expect(ties.map(({ component }) => component)).toEqual(tied)
      }),
    )
  })
})
