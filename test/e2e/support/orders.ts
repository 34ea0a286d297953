// Objects of orders and buyers with their records, for tests of the pages of records.
import type { Studio } from './test.ts'

const number = { type: 'number', precision: 12, scale: 2 }
const grants = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }
export const rate = (key: string, from: string, to: string | null, value: string): object => ({
  ...{ type: 'config_entry', key: `duty.${key}`, label: key },
  body: {
    ...{ set: 'duty', key: 'DE', scope: { kind: 'org' }, effectiveFrom: from, values: { rate: value } },
    ...(to === null ? {} : { effectiveTo: to }),
  },
})
/** An order, whose duty follows from this formula. */
export const orderObject = (duty: string): object => ({
  ...{ type: 'object', key: 'order', label: 'Order' },
  body: {
    nameField: 'number',
    fields: [
      { key: 'number', label: 'Number', type: 'text', required: true, unique: true },
      { key: 'buyer', label: 'Buyer', type: 'reference', references: 'buyer', required: true },
      { key: 'placed', label: 'Placed on', type: 'date', required: true },
      { key: 'net', label: 'Net', ...number },
      {
        ...{ key: 'duty', label: 'Duty', ...number },
        formula: { expression: duty, stored: true },
      },
    ],
    validationRules: [
      { key: 'positive', when: 'net < 0', message: 'The net amount is negative.', field: 'net' },
    ],
  },
})

const objects = [
  {
    ...{ type: 'config_set', key: 'duty', label: 'Duty' },
    body: {
      ...{ cardinality: 'keyed', keyedBy: { key: 'country', type: 'text' }, effectiveDated: true },
      ...{ asOfField: 'order.placed', ...grants },
      fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
    },
  },
  rate('low', '2020-07-01', '2021-01-01', '0.1600'),
  rate('high', '2021-01-01', null, '0.1900'),
  {
    ...{ type: 'object', key: 'buyer', label: 'Buyer' },
    body: {
      nameField: 'name',
      fields: [
        { key: 'name', label: 'Name', type: 'text', required: true },
        { key: 'country', label: 'Country', type: 'text', required: true },
      ],
    },
  },
  orderObject('net * config.duty(buyer.country).rate'),
  {
    ...{ type: 'list_view', key: 'large', label: 'Large orders' },
    body: {
      ...{ object: 'order', columns: ['buyer.country', 'number', 'net'], filter: 'net >= 110' },
      orderBy: [{ field: 'net', dir: 'desc' }],
    },
  },
]
const rights = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }

export interface Saved {
  id: string
  version: number
}

/** Objects with records, on which the administrator has every right. */
export async function layRecords({ call }: Studio): Promise<Record<string, string>> {
  const administrator = await call<{ component: { body: object } }>(
    'GET',
    '/metadata/v3/components/permission_set/administrator',
  )
  const edit = { read: true, edit: true }
  const fields = [
    'buyer.name',
    'buyer.country',
    'order.number',
    'order.buyer',
    'order.placed',
    'order.net',
    'order.duty',
  ]
  const permissions = {
    ...administrator.component,
    body: {
      ...administrator.component.body,
      objects: { buyer: rights, order: rights },
      fields: Object.fromEntries(fields.map((name) => [name, name === 'order.duty' ? { read: true } : edit])),
    },
  }
  await call('POST', '/metadata/v3/apply', { components: [...objects, permissions], rationale: 'Orders' })
  const ids: Record<string, string> = {}
  for (const name of ['Packhaus Hamm', 'Nordlicht Verlag']) {
    const { id } = await call<Saved>('POST', '/data/v3/buyer', { name, country: 'DE' })
    ids[name] = id
  }
  return ids
}

/** Orders `O-000` and so on, with the same net amounts, alternately of two buyers. */
export async function layOrders(studio: Studio, count: number): Promise<Record<string, string>> {
  const ids = await layRecords(studio)
  const numbers = Array.from({ length: count }, (_, at) => `O-${String(at).padStart(3, '0')}`)
  const { results } = await studio.call<{ results: { id: string }[] }>('POST', '/data/v3/order/batch', {
    records: numbers.map((number, at) => ({
      op: 'insert',
      fields: {
        ...{ number, placed: at < 5 ? '2020-08-01' : '2022-01-01', net: String(at) },
        buyer: ids[at % 2 === 0 ? 'Packhaus Hamm' : 'Nordlicht Verlag'],
      },
    })),
  })
  for (const [at, { id }] of results.entries()) ids[numbers[at]!] = id
  return ids
}
