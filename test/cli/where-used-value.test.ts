// Values of a value set and of optional fields, from the command line.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { almanac, scratch, writeComponents } from './almanac.ts'

it('where-used lists the entries and expressions that use one value of a value set', () => {
  const dir = scratch()
  const org = join(dir, 'org')
  const value = (key: string) => ({ key, label: key })
  const components = [
    { type: 'value_set', key: 'cur', label: 'Currencies', body: { values: ['EUR', 'USD'].map(value) } },
    {
      type: 'config_set',
      key: 'bank',
      label: 'Bank',
      body: {
        cardinality: 'singleton',
        fields: [
          { key: 'currency', type: 'enum', valueSet: 'cur' },
          { key: 'note', type: 'text' },
        ],
        read: { administrator: 'read' },
        edit: { administrator: 'edit' },
      },
    },
    {
      type: 'config_entry',
      key: 'bank.org',
      label: 'Bank',
      body: { set: 'bank', scope: { kind: 'org' }, values: { currency: 'EUR' } },
    },
    {
      type: 'calc_function',
      key: 'is_euro',
      label: 'Is euro',
      body: { params: [], returns: 'boolean', expression: 'config.bank.currency == "EUR"' },
    },
  ]
  const files = writeComponents(join(dir, 'all'), components)
  expect(almanac(['init', org]).code).toBe(0)
  expect(almanac(['apply', files, '--org', org])).toMatchObject({ code: 0, err: '' })
  const used = (...more: string[]) => almanac(['where-used', 'value_set/cur', ...more, '--org', org])
  expect(used('--member', 'EUR', '--json').json()).toMatchObject({
    usages: [
      { from: 'calc_function/is_euro', path: '/body/expression', member: 'EUR' },
      { from: 'config_entry/bank.org', path: '/body/values/currency', member: 'EUR' },
    ],
  })
  expect(used('--member', 'USD').out).toContain('Nothing refers to')
  expect(used('--member', 'USE').err).toContain('cur has no value "USE". Did you mean "USD"?')
  const field = almanac(['where-used', 'config_set/bank', '--member', 'curency', '--org', org])
  expect(field.err).toContain('bank has no field "curency". Did you mean "currency"?')
  const none = almanac(['where-used', 'calc_function/is_euro', '--member', 'x', '--org', org])
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('calc_function/is_euro has no members.')])
  expect(used().out).toContain('1 entry holds one of its values. Use --member <value> to list them.')

  const read = (...more: string[]) => almanac(['resolve', 'bank', '--org', org, ...more])
  expect(read('--field', 'currency').out).toBe('EUR\n')
  const absent = read('--field', 'note')
  expect([absent.code, absent.err]).toEqual([
    1,
    expect.stringContaining('The field "note" is optional, and the entry bank.org has no value for it.'),
  ])
  expect(read('--field', 'nte').err).toContain('bank has no field "nte". Did you mean "note"?')
  expect(read('--scope', 'org=x').err).toContain('The org scope always applies.')
  expect(read('--generation', '-1').err).toContain('must be a whole number, 0 or more, not "-1".')
  expect(read('--scope', 'app=nope').err).toContain('The scope names the app "nope", which does not exist.')
})
