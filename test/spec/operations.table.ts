// Operations that are called on their own (sections 1, 2.7, 5 and 8.3 of the specification).
import { expect } from 'vitest'
import { done, seen, type As, type DataOrg, type Given, type RuleCase } from './data-target.ts'

const ann: As = { user: 'ann' }
/** Can call the operation, and cannot add bills. */
const lou: As = { user: 'lou' }
const nob: As = { user: 'nob' }
const roo: As = { user: 'roo' }

let made = 0
const next = (): string => `CALL-${(made += 1)}`

const billNow = (org: DataOrg, as: As, params: object, asOf = '2020-06-01'): Promise<Given> =>
  org.call(as, 'bill_now', { params: { net: '100', due: '2020-06-01', ...params }, asOf })
const found = async (org: DataOrg, number: string): Promise<unknown> => {
  const query = { object: 'bill', fields: ['net', 'tax', 'memo'], filter: `number == "${number}"` }
  return done(await org.query(ann, query)).records.map(({ fields }) => fields)
}
const code = (rule: string, name: string, run: RuleCase['run'], gives: unknown): RuleCase => ({
  ...{ rule, name, run, gives },
})

export const operationCases: readonly RuleCase[] = [
  code(
    '1.7',
    'what an operation saves goes through the save order, as every save',
    async (org) => {
      const number = next()
      const { ran } = done(await billNow(org, ann, { number }))
      return [ran, await found(org, number)]
    },
    [true, [{ net: '100.00', tax: '16.00', memo: 'LOUD' }]],
  ),
  code(
    '1.7',
    'what an operation saves needs the rights of its caller',
    async (org) => {
      const number = next()
      const given = await billNow(org, lou, { number })
      return [seen(given, () => 'called'), 'refused' in given && given.details, await found(org, number)]
    },
    ['record.invalid', [expect.objectContaining({ code: 'access.denied', automation: 'bill_now' })], []],
  ),
  code(
    '2.7.4',
    'no expression reads a clock: a dated set is read as of the date of the call',
    async (org) => [
      done(await billNow(org, ann, { number: next() }, '2020-06-01')).returns,
      done(await billNow(org, ann, { number: next() }, '2021-06-01')).returns,
      seen(await org.call(ann, 'bill_now', { params: { number: 'X', net: '1', due: null } }), () => 'called'),
    ],
    [{ tax: '16' }, { tax: '19' }, 'config.as_of_required'],
  ),
  code(
    '5.4',
    'an operation does not exist for callers to whom it is not granted, and platform.root bypasses that',
    async (org) => [
      seen(await billNow(org, nob, { number: next() }), () => 'called'),
      seen(await org.call(ann, 'missing', { params: {} }), () => 'called'),
      seen(await org.call(ann, 'shout', { params: {} }), () => 'called'),
      seen(await billNow(org, roo, { number: next() }), () => 'called'),
    ],
    ['operation.not_found', 'operation.not_found', 'operation.not_found', 'called'],
  ),
  code(
    '8.3',
    'an operation has a transaction of its own: a rejection undoes everything, and names the parameter',
    async (org) => {
      const number = next()
      const given = await billNow(org, ann, { number, net: '9001' })
      return [seen(given, () => 'called'), 'refused' in given && given.details, await found(org, number)]
    },
    [
      'record.invalid',
      [
        {
          ...{ field: 'net', code: 'record.raised', automation: 'bill_now' },
          message: 'The bill is too large.',
        },
      ],
      [],
    ],
  ),
  code(
    '8.3',
    'a value that an operation returns is submitted as an ordinary field',
    async (org) => {
      const { returns } = done(await billNow(org, ann, { number: next() }))
      const fields = { number: next(), due: '2020-06-01', net: returns['tax'] }
      return done(await org.save(ann, 'bill', { op: 'insert', fields })).fields['net']
    },
    '16.00',
  ),
  code(
    '7',
    'parameters that are wrong are all named, and nothing is done',
    async (org) => {
      const given = await org.call(ann, 'bill_now', {
        ...{ params: { net: '5%', due: '2020-02-30', colour: 'red' }, asOf: '2020-06-01' },
      })
      const details = 'refused' in given ? (given.details as { path: string }[]) : []
      return [seen(given, () => 'called'), details.map(({ path }) => path)]
    },
    ['request.invalid', ['/params/number', '/params/net', '/params/due', '/params/colour']],
  ),
]
