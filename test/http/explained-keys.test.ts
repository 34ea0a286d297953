// "Why this value" to a user who can read one set and not another: the key with which the first is read can be a value of
// the second, or show which branch was taken.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billing } from '../../server/kernel/records/fixture.ts'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

interface Side {
  hiddenSets: number
  steps: { set: string; key: string | null }[]
}
interface Explained {
  value: string
  bound: Side
  present: Side
}

const rate = { type: 'number', precision: 12, scale: 2 }
const stored = (expression: string) => ({ formula: { expression, stored: true } })
const virtual = (expression: string) => ({ formula: { expression, stored: false } })

const entries = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }
const components = [
  {
    type: 'config_set',
    key: 'secret',
    label: 'Secret',
    body: {
      ...{ cardinality: 'singleton', ...entries },
      fields: [
        { key: 'country', type: 'text' },
        { key: 'is_on', type: 'boolean' },
        { key: 'fee', type: 'number', precision: 9, scale: 2 },
      ],
    },
  },
  {
    type: 'config_entry',
    key: 'secret.all',
    label: 'Secret',
    body: { set: 'secret', scope: { kind: 'org' }, values: { country: 'AT', is_on: true, fee: '1.00' } },
  },
  {
    type: 'calc_function',
    key: 'rate_of',
    label: 'Rate of',
    body: {
      params: [{ key: 'country', type: 'text' }],
      returns: 'number',
      expression: 'config.vat(country).rate',
    },
  },
]

/** Field of an invoice → its formula. What is not stored is read by the formula after it. */
const formulas: Record<string, object> = {
  by_key: { ...rate, ...stored('net * config.vat(config.secret.country).rate') },
  by_argument: { ...rate, ...stored('net * rate_of(config.secret.country)') },
  by_condition: {
    ...rate,
    ...stored('config.secret.is_on ? net * config.vat("AT").rate : net * config.vat("DE").rate'),
  },
  by_and: { type: 'boolean', ...stored('config.secret.is_on && config.vat("AT").rate > 0') },
  secret_country: { type: 'text', ...virtual('config.secret.country') },
  by_field: { ...rate, ...stored('net * config.vat(secret_country).rate') },
  by_list: {
    type: 'boolean',
    ...stored('[config.secret.country].exists(each, config.vat(each).rate > 0)'),
  },
  beside: { ...rate, ...stored('net * config.vat("AT").rate + config.secret.fee') },
  own_key: { ...rate, ...stored('net * rate_of(customer.country) + config.secret.fee') },
  own_condition: { ...rate, ...stored('net > 0 ? net * config.vat("AT").rate : config.secret.fee') },
}

let test: TestServer
let ada: Ask
let rea: Ask
let id: string
beforeAll(async () => {
  test = await runningServer()
  const bodies = billing()
  const invoice = bodies['object/invoice'] as { fields: object[] }
  invoice.fields.push(...Object.entries(formulas).map(([key, body]) => ({ key, ...body })))
  const own = (clerk(bodies) as { body: { objects: object; fields: Record<string, { read: boolean }> } }).body
  const reader = {
    objects: own.objects,
    fields: Object.fromEntries(Object.keys(own.fields).map((key) => [key, { read: true, edit: false }])),
  }
  const vat = (each: object) => (each as { type: string; key: string }).key === 'vat'
  const served = billingComponents(bodies).map((each) =>
    vat(each)
      ? { ...each, body: { ...(each as { body: object }).body, read: { ...entries.read, reader: 'read' } } }
      : each,
  )
  const writer = { type: 'permission_set', key: 'clerk', label: 'Clerk', body: own }
  await apply(test.studio, [
    ...[...served, ...components, writer],
    { type: 'permission_set', key: 'reader', label: 'Reader', body: reader },
  ])
  const asks = await signIn(test, [
    { key: 'ada', permissionSets: ['clerk', 'administrator'] },
    { key: 'rea', permissionSets: ['reader'] },
  ])
  ada = asks['ada']!
  rea = asks['rea']!
  const { body: buyer } = await ada<{ id: string }>('POST', '/data/v3/customer', {
    ...{ name: 'Ada', country: 'AT' },
  })
  const saved = await ada<{ id: string }>('POST', '/data/v3/invoice', {
    ...{ number: 'V-1', customer: buyer.id, tax_point: '2022-08-15', net: '100' },
  })
  id = saved.body.id
})
afterAll(() => test.close())

const explain = async (ask: Ask, field: string): Promise<Explained> =>
  (await ask<Explained>('GET', `/data/v3/invoice/${id}/values/${field}`)).body
const readsOf = ({ steps }: Side): string[] => steps.map(({ set, key }) => `${set} ${key}`)

describe('a hidden set decides how another is read', () => {
  it.each(['by_key', 'by_argument', 'by_condition', 'by_and', 'by_field', 'by_list'])(
    'in %s, so no read is shown',
    async (field) => {
      const all = await explain(ada, field)
      expect(readsOf(all.bound)).toContain('vat AT')
      const shown = await explain(rea, field)
      expect(shown.value).toBe(all.value)
      for (const side of [shown.bound, shown.present])
        expect([side.hiddenSets, readsOf(side)]).toEqual([1, []])
    },
  )
})

describe('a hidden set is read beside another', () => {
  it.each(['beside', 'own_key', 'own_condition'])(
    'in %s, so the read of the other is shown',
    async (field) => {
      const shown = await explain(rea, field)
      for (const side of [shown.bound, shown.present])
        expect([side.hiddenSets, readsOf(side)]).toEqual([1, ['vat AT']])
    },
  )
})
