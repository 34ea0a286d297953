import { describe, expect, it } from 'vitest'
import { component, findingsOf, codesWithPaths } from '../rule-fixture.ts'

const invoice = component('object/invoice', {
  fields: [
    { key: 'tax_date', type: 'date', required: true },
    { key: 'issued', type: 'datetime', required: true },
    { key: 'paid_on', type: 'date' },
    { key: 'amount', type: 'number', precision: 10, scale: 2, required: true },
  ],
})
const rate = { key: 'rate', type: 'number', precision: 6, scale: 4 }
const keyed = { cardinality: 'keyed', keyedBy: { key: 'country', type: 'text' }, fields: [rate] }
const single = { cardinality: 'singleton', fields: [rate] }
const at = (asOfField: string | string[]) => ({ ...keyed, effectiveDated: true, asOfField })

describe('a configuration set', () => {
  const cases: [string, object, string[]][] = [
    ['keyed', keyed, []],
    ['singleton', single, []],
    ['dated', at('invoice.tax_date'), []],
    [
      'dated by two fields of one object',
      at(['invoice.tax_date', 'invoice.issued']),
      ['config.as_of_field /body/asOfField/1'],
    ],
    ['keyed without a key', { ...keyed, keyedBy: undefined }, ['config.keyed_by /body/keyedBy']],
    ['singleton with a key', { ...single, keyedBy: keyed.keyedBy }, ['config.keyed_by /body/keyedBy']],
    [
      'keyed by an enum without values',
      { ...keyed, keyedBy: { key: 'c', type: 'enum' } },
      ['config.field_shape /body/keyedBy/valueSet'],
    ],
    ['keyed by a number', { ...keyed, keyedBy: { key: 'c', type: 'number' } }, []],
    ['without org', { ...single, scopes: ['user'] }, ['config.org_scope_missing /body/scopes']],
    [
      'dated without an as-of field',
      { ...keyed, effectiveDated: true },
      ['config.as_of_required /body/asOfField'],
    ],
    [
      'not dated with an as-of field',
      { ...keyed, asOfField: 'invoice.tax_date' },
      ['config.as_of_not_allowed /body/asOfField'],
    ],
    ['as of no path', at('tax_date'), ['config.as_of_field /body/asOfField/0']],
    ['as of no object', at('invoce.tax_date'), ['config.as_of_field /body/asOfField/0']],
    ['as of no field', at('invoice.taxdate'), ['config.as_of_field /body/asOfField/0']],
    ['as of a number', at('invoice.amount'), ['config.as_of_field /body/asOfField/0']],
    ['as of an optional date', at('invoice.paid_on'), ['config.as_of_field /body/asOfField/0']],
    [
      'number without a scale',
      { ...single, fields: [{ key: 'a', type: 'number', precision: 3 }] },
      ['config.field_shape /body/fields/0/scale'],
    ],
    [
      'scale beyond precision',
      { ...single, fields: [{ ...rate, scale: 7 }] },
      ['config.field_shape /body/fields/0/scale'],
    ],
    [
      'text with a precision',
      { ...single, fields: [{ key: 'a', type: 'text', precision: 3 }] },
      ['config.field_shape /body/fields/0/precision'],
    ],
    [
      'enum without a value set',
      { ...single, fields: [{ key: 'a', type: 'enum' }] },
      ['config.field_shape /body/fields/0/valueSet'],
    ],
    ['two fields of one key', { ...single, fields: [rate, rate] }, ['key.duplicate_item /body/fields/1/key']],
  ]
  it.each(cases)('%s', (_name, body, expected) => {
    expect(codesWithPaths(findingsOf(component('config_set/vat', body), { others: [invoice] }))).toEqual(
      expected,
    )
  })

  it('reports every fault at once', () => {
    const set = component('config_set/vat', {
      ...single,
      scopes: ['app'],
      keyedBy: keyed.keyedBy,
      effectiveDated: true,
    })
    expect(codesWithPaths(findingsOf(set))).toHaveLength(3)
  })

  it('suggests the nearest object and field', () => {
    const messages = findingsOf(component('config_set/vat', at(['invoce.tax_date', 'invoice.tax_dat'])), {
      others: [invoice],
    }).map(({ message }) => message)
    expect(messages[0]).toContain('Did you mean "invoice"?')
    expect(messages[1]).toContain('Did you mean "tax_date"?')
  })

  it('lists the date fields if no name is near', () => {
    const [finding] = findingsOf(component('config_set/vat', at('invoice.whenever')), { others: [invoice] })
    expect(finding?.message).toContain('it has tax_date, issued or paid_on')
  })

  it('does not share a key with a flag', () => {
    const flag = component('feature_flag/vat', { owner: 'user:mara', expiresOn: '2027-01-01' })
    const set = component('config_set/vat', single)
    expect(codesWithPaths(findingsOf(set, { others: [flag] }))).toEqual(['key.shared_space /key'])
    expect(codesWithPaths(findingsOf(flag, { others: [set] }))).toEqual(['key.shared_space /key'])
  })
})
