// Stored formulas that read a dated set through virtual formulas, of the same record and along a reference: a new date
// resolves them again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apply, billingComponents, clerk, signIn } from '../support/billing-org.ts'
import { runningServer, type Ask, type TestServer } from '../support/running-server.ts'

const number = { type: 'number', precision: 12, scale: 2 }
const formula = (key: string, expression: string, stored: boolean): object => ({
  ...{ key, ...number },
  formula: { expression, stored },
})
const entry = (effectiveFrom: string, rate: string, effectiveTo?: string): object => ({
  ...{ set: 'tariff', key: 'A', scope: { kind: 'org' }, effectiveFrom, values: { rate } },
  ...(effectiveTo === undefined ? {} : { effectiveTo }),
})
const bodies: Record<string, object> = {
  'config_set/tariff': {
    ...{ cardinality: 'keyed', keyedBy: { key: 'code', type: 'text' } },
    ...{ effectiveDated: true, asOfField: 'trip.day' },
    fields: [{ key: 'rate', ...number, required: true }],
  },
  'config_entry/tariff.a_2020': entry('2020-01-01', '1', '2021-01-01'),
  'config_entry/tariff.a_2021': entry('2021-01-01', '2'),
  'object/trip': {
    fields: [
      { key: 'km', ...number },
      { key: 'day', type: 'date', required: true },
      { key: 'zone', type: 'text', default: '"A"' },
      formula('price', 'config.tariff(zone).rate * 10', false),
      formula('quote', 'price + km', true),
      formula('direct', 'config.tariff("A").rate * 10 + km', true),
    ],
  },
  'object/bill': {
    fields: [
      { key: 'trip', type: 'reference', references: 'trip' },
      { key: 'note', type: 'text' },
      formula('due', 'trip.price * 2', true),
    ],
  },
}

interface Saved {
  id: string
  version: number
  fields: Record<string, unknown>
}
interface Explained {
  bound: { binding: { generation: number; asOf: string | null }; identical: boolean }
  present: {
    differs: boolean
    value: string
    steps: { set: string; asOf: string | null; error: unknown; resolution: { entry: string } | null }[]
  }
  reasons: string[]
}

let test: TestServer
let ada: Ask
let bob: Ask
beforeAll(async () => {
  test = await runningServer()
  const all = clerk(bodies) as { body: { objects: object; fields: Record<string, object> } }
  const { 'trip.zone': _zone, ...fields } = all.body.fields
  const blind = { type: 'permission_set', key: 'blind', label: 'Blind', body: { ...all.body, fields } }
  await apply(test.studio, [...billingComponents(bodies), all, blind])
  const users = [
    { key: 'ada', permissionSets: ['clerk', 'administrator'] },
    { key: 'bob', permissionSets: ['blind', 'administrator'] },
  ]
  ;({ ada, bob } = (await signIn(test, users)) as { ada: Ask; bob: Ask })
})
afterAll(() => test.close())

const deployRate = (rate: string): Promise<void> =>
  apply(test.studio, billingComponents({ 'config_entry/tariff.a_2021': entry('2021-01-01', rate) }))

async function insert(object: string, fields: object): Promise<Saved> {
  const { status, body, text } = await ada<Saved>('POST', `/data/v3/${object}`, fields)
  expect([status, text]).toEqual([201, expect.anything()])
  return body
}
const read = async (object: string, id: string): Promise<Saved> =>
  (await ada<Saved>('GET', `/data/v3/${object}/${id}`)).body

async function change(object: string, id: string, fields: object, ask = ada): Promise<Saved> {
  const { version } = await read(object, id)
  const { body, status, text } = await ask<Saved>('PATCH', `/data/v3/${object}/${id}`, fields, {
    'if-match': `"${version}"`,
  })
  expect([status, text]).toEqual([200, expect.anything()])
  return body
}
const explain = async (object: string, id: string, field: string): Promise<Explained> =>
  (await ada<Explained>('GET', `/data/v3/${object}/${id}/values/${field}`)).body

describe('a stored formula over a virtual formula that reads a dated set', () => {
  it('keeps its generation through other changes, and is resolved again with a new date', async () => {
    const { id, fields } = await insert('trip', { km: '10', day: '2021-05-05' })
    expect(fields).toMatchObject({ quote: '30.00', direct: '30.00' })
    await deployRate('7')
    expect((await change('trip', id, { km: '20' })).fields).toMatchObject({ quote: '40.00', direct: '40.00' })
    expect((await change('trip', id, { day: '2021-06-06' })).fields).toMatchObject({
      ...{ quote: '90.00', direct: '90.00' },
    })
    expect((await explain('trip', id, 'quote')).bound.identical).toBe(true)
    await deployRate('2')
  })

  it('is explained with the date of the virtual formula', async () => {
    const { id } = await insert('trip', { km: '10', day: '2021-05-05' })
    const before = (await explain('trip', id, 'quote')).bound.binding.generation
    await deployRate('7')
    const { bound, present, reasons } = await explain('trip', id, 'quote')
    expect(bound).toMatchObject({ binding: { generation: before }, identical: true })
    expect(present).toMatchObject({
      ...{ value: '80.00', differs: true },
      steps: [{ set: 'tariff', key: 'A', resolution: { entry: 'tariff.a_2021', values: { rate: '7.00' } } }],
    })
    expect(reasons).toEqual([expect.stringMatching(/^tariff changed: tariff\.a_2021 by admin in generation/)])
    await deployRate('2')
  })

  it('names the set and the date without an entry, to users who can read what the virtual formula reads', async () => {
    const { id, version } = await insert('trip', { km: '10', day: '2021-05-05' })
    const refusal = async (ask: Ask): Promise<Record<string, unknown>> => {
      const sent = { km: '11', day: '1999-01-01' }
      const { body } = await ask<{ details: Record<string, unknown>[] }>(
        'PATCH',
        `/data/v3/trip/${id}`,
        sent,
        {
          'if-match': `"${version}"`,
        },
      )
      return body.details.find(({ field }) => field === 'quote')!
    }
    const found = { field: 'quote', code: 'config.not_effective' }
    const message = (text: string): string => `quote cannot be computed. ${text}`
    expect(await refusal(ada)).toEqual({
      ...{ ...found, set: 'tariff', key: 'A' },
      message: message(
        'tariff "A" is not effective on 1999-01-01: its first date is 2020-01-01 (1 Jan 2020).',
      ),
    })
    expect(await refusal(bob)).toEqual({ ...found, message: message('No entry is effective on that date.') })
  })
})

describe('a stored formula that reads such a virtual formula along a reference', () => {
  it('follows a new date of the other record, within one generation and after a deploy', async () => {
    const trip = await insert('trip', { km: '1', day: '2020-02-02' })
    const bill = await insert('bill', { trip: trip.id })
    expect(bill.fields['due']).toBe('20.00')
    await change('trip', trip.id, { day: '2021-02-02' })
    expect((await read('bill', bill.id)).fields['due']).toBe('40.00')
    await deployRate('7')
    await change('bill', bill.id, { note: 'unrelated' })
    expect((await read('bill', bill.id)).fields['due']).toBe('40.00')
    await change('trip', trip.id, { day: '2021-03-03' })
    expect((await read('bill', bill.id)).fields['due']).toBe('140.00')
    expect((await explain('bill', bill.id, 'due')).bound.identical).toBe(true)
    await deployRate('2')
  })

  it('is resolved again with a reference to a record of a different date', async () => {
    const [one, same, other] = [
      await insert('trip', { km: '1', day: '2021-02-02' }),
      await insert('trip', { km: '2', day: '2021-02-02' }),
      await insert('trip', { km: '3', day: '2021-04-04' }),
    ]
    const bill = await insert('bill', { trip: one.id })
    await deployRate('7')
    expect((await change('bill', bill.id, { trip: same.id })).fields['due']).toBe('40.00')
    expect((await change('bill', bill.id, { trip: other.id })).fields['due']).toBe('140.00')
    await deployRate('2')
  })
})
