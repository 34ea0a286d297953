// The words of a change show what differs.
import { describe, expect, it } from 'vitest'
import type { Component } from '../components/body-types.ts'
import type { Change } from './change.ts'
import { OverlayView } from './overlay-view.ts'
import { describeChange } from './change-description.ts'
import { diffValues } from './value-diff.ts'

const view = new OverlayView(null)
const set = {
  type: 'config_set',
  key: 'vat_rate',
  label: 'VAT rate',
  body: {
    cardinality: 'keyed',
    keyedBy: { key: 'territory', type: 'text' },
    scopes: ['environment', 'org'],
    effectiveDated: true,
    fields: [
      { key: 'rate', type: 'number', precision: 6, scale: 4 },
      { key: 'currency', type: 'text' },
    ],
    read: { administrator: 'read' },
  },
} as unknown as Component & { body: object }

const changed = (before: Component, after: Component): Change => ({
  kind: 'changed',
  id: `${after.type}/${after.key}`,
  before,
  after,
  values: diffValues(before, after, {}),
  hints: {},
})

describe('words of a change', () => {
  it('show the shape of a new set', () => {
    const words = describeChange({ kind: 'added', id: 'config_set/vat_rate', after: set, hints: {} }, view)
    expect(words.after).toBe(
      'cardinality keyed; keyed by territory; scopes environment, org; effective dated yes; fields rate, currency; read administrator read',
    )
  })

  it('have no JSON in them', () => {
    const list = (body: object): Component =>
      ({
        type: 'list_view',
        key: 'open',
        label: 'Open',
        body: { object: 'bill', ...body },
      }) as unknown as Component
    const orderBy = [{ field: 'net', dir: 'desc' }, { field: 'number' }]
    const added = describeChange(
      { kind: 'added', id: 'list_view/open', after: list({ columns: ['net'], orderBy }), hints: {} },
      view,
    )
    expect(added.after).toBe('object bill; columns net; order by net (descending), number')
    const more = describeChange(
      changed(list({ columns: ['net'] }), list({ columns: ['net'], orderBy })),
      view,
    )
    expect([more.title, more.before, more.after]).toEqual([
      'list view Open, Order',
      'none',
      '(field net, dir desc), field number',
    ])
  })

  it('show the changed value of an entry whose set is renamed', () => {
    const entry = (key: string, rate: string): Component =>
      ({
        type: 'config_entry',
        key: `${key}.de`,
        label: 'DE',
        body: { set: key, key: 'DE', scope: { kind: 'org' }, effectiveFrom: '2020-01-01', values: { rate } },
      }) as unknown as Component
    const renamed = (after: Component) => {
      const before = entry('vat_rate', '0.1900')
      const [id, from] = [`${after.type}/${after.key}`, `${before.type}/${before.key}`] as const
      return describeChange(
        {
          kind: 'renamed',
          id,
          from,
          before,
          after,
          values: diffValues(before, after, {}),
          hints: {},
        } as Change,
        view,
      )
    }
    expect(renamed(entry('tax', '0.2000'))).toMatchObject({
      before: '0.1900; set vat_rate',
      after: '0.2000; set tax',
    })
    expect(renamed(entry('tax', '0.1900'))).toEqual({
      title: 'tax, DE, org, set',
      before: 'vat_rate',
      after: 'tax',
      takesEffect: 'immediately',
    })
  })

  it('cut a long text around the difference', () => {
    const described = (days: number): Component =>
      ({
        ...set,
        body: {
          ...set.body,
          description: `${'The rate holds for all supplies in the territory. '.repeat(4)}Notice: ${days} days. ${'Else it does not. '.repeat(6)}`,
        },
      }) as unknown as Component
    const words = describeChange(changed(described(30), described(60)), view)
    expect(words.before).toMatch(/^….*Notice: 30 days\..*…$/)
    expect(words.after).toMatch(/^….*Notice: 60 days\..*…$/)
  })

  it('cut the text of a long value around the difference, too', () => {
    const mapped = (last: string): Component =>
      ({
        ...set,
        body: {
          ...set.body,
          mapping: [Object.fromEntries([...'abcdefghijkl'].map((key) => [key, 'a long value'])), last],
        },
      }) as unknown as Component
    const words = describeChange(changed(mapped('one'), mapped('two')), view)
    expect([words.before, words.after]).toEqual([
      expect.stringContaining('one'),
      expect.stringContaining('two'),
    ])
  })

  it('call a flag on or off, and any other switch yes or no', () => {
    const flag = (isOn: boolean): Component =>
      ({ type: 'feature_flag', key: 'hint', label: 'Hint', body: { default: isOn } }) as unknown as Component
    const dated = (isDated: boolean): Component =>
      ({ ...set, body: { ...set.body, effectiveDated: isDated } }) as unknown as Component
    expect(describeChange(changed(flag(true), flag(false)), view)).toMatchObject({
      before: 'on',
      after: 'off',
    })
    expect(describeChange(changed(dated(true), dated(false)), view)).toMatchObject({
      before: 'yes',
      after: 'no',
    })
  })
})
