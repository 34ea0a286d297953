import { describe, expect, it } from 'vitest'
import { MemoryView } from '../components/memory-view.ts'
import { completeExpression } from './complete.ts'
import { component, components, playground, virtualSite } from './fixture.ts'

const entry = component('config_entry', 'vat_rate.de', {
  set: 'vat_rate',
  key: 'DE',
  scope: { kind: 'org' },
  values: { rate: '0.1900' },
})
const view = new MemoryView([...components, entry])

/** Returns the labels at the `|` of the text. */
function labels(text: string, site = virtualSite): string[] {
  const offset = text.indexOf('|')
  return completeExpression(text.replace('|', ''), offset, site, view).items.map(({ label }) => label)
}

describe('completion', () => {
  it.each<[string, string[]]>([
    ['config.|', ['currency', 'discount', 'fx_rate', 'limits', 'parcel', 'vat_rate']],
    ['amount * config.vat|', ['vat_rate']],
    ['config.limits.|', ['credit', 'since', 'note', 'hard']],
    ['config.vat_rate(customer.country).|', ['rate']],
    ['config.vat_rate(")").r|', ['rate']],
    ['config.vat_rate("|', ['DE']],
    ['config.vat_rate("D|', ['DE']],
    ['flag.|', ['beta', 'reverse_charge']],
    ['customer.|', ['country', 'name', 'parent']],
    ['customer . parent . na|', ['name']],
    ['"config.|', []],
    ['// config.|', []],
    ['gross(1, "x").|', []],
    ['amou|', ['amount']],
    ['gro|', ['gross']],
    ['round(amount * quant|ity, 2)', ['quantity']],
  ])('%s', (text, expected) => {
    expect(labels(text)).toEqual(expected)
  })

  it('offers functions of the type after a dot', () => {
    expect(labels('note.starts|')).toEqual(['startsWith'])
    expect(labels('customer.name.|')).toContain('contains')
    expect(labels('config.limits.note.|')).toContain('matches')
    expect(labels('amount.|')).toEqual([])
  })

  it('offers inputs, roots and functions at a bare name, with matching prefixes first', () => {
    expect(labels('|', playground).slice(0, 8)).toEqual(['n', 'm', 't', 'b', 'd', 'at', 'config', 'flag'])
    expect(labels('d|', playground).slice(0, 2)).toEqual(['d', 'date'])
  })

  it('replaces the whole word, and shows type and help', () => {
    const { start, end, items } = completeExpression('1 + rou(2)', 6, virtualSite, view)
    expect([start, end]).toEqual([4, 7])
    expect(items[0]).toMatchObject({
      label: 'round',
      insert: 'round(|)',
      type: 'round(number, number?): number',
    })
    expect(items[0]?.doc).toContain('half-even')
  })
})
