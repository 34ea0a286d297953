// Objects with a layout, list views and apps, and records of them.
import type { Studio } from './test.ts'

const number = { type: 'number', precision: 12, scale: 2 }
const grants = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }
const field = (key: string, inputs = {}): object => ({ id: key, type: 'field', key, inputs })
const element = (id: string, key: string, inputs: object): object => ({ id, type: 'component', key, inputs })
const section = (id: string, title: string, columns: number, ...items: object[]): object => ({
  ...{ id, section: title, columns, items },
})

const components = [
  {
    ...{ type: 'feature_flag', key: 'rebate', label: 'Rebate' },
    body: {
      ...{ owner: { user: 'admin' }, expiresOn: '2999-01-01', scopes: ['app', 'org'], default: false },
      ...grants,
    },
  },
  {
    ...{ type: 'object', key: 'payer', label: 'Payer' },
    body: {
      nameField: 'name',
      fields: [
        { key: 'name', label: 'Name', type: 'text', required: true },
        { key: 'city', label: 'City', type: 'text' },
      ],
    },
  },
  {
    ...{ type: 'object', key: 'bill', label: 'Bill' },
    body: {
      nameField: 'number',
      fields: [
        { key: 'number', label: 'Number', type: 'text', required: true, unique: true },
        { key: 'payer', label: 'Payer', type: 'reference', references: 'payer', required: true },
        { key: 'due', label: 'Due on', type: 'date' },
        { key: 'net', label: 'Net', ...number, required: true },
        { key: 'note', label: 'Note', type: 'text' },
        { key: 'items', label: 'Items', ...number, rollup: { child: 'item', via: 'bill', op: 'count' } },
        { key: 'double', label: 'Double', ...number, formula: { expression: 'net * 2', stored: true } },
        {
          ...{ key: 'total', label: 'Total', ...number },
          formula: { expression: 'flag.rebate ? net - 10 : net', stored: false },
        },
      ],
      validationRules: [
        { key: 'positive', when: 'net < 0', message: 'The net amount is negative.', field: 'net' },
        {
          key: 'noted',
          when: 'net > 900 && !present(note)',
          message: 'A large bill needs a note.',
          field: 'note',
        },
      ],
    },
  },
  {
    ...{ type: 'object', key: 'item', label: 'Item' },
    body: {
      nameField: 'text',
      fields: [
        { key: 'text', label: 'Text', type: 'text', required: true },
        { key: 'bill', label: 'Bill', type: 'reference', references: 'bill', required: true },
      ],
    },
  },
  {
    ...{ type: 'list_view', key: 'items', label: 'All items' },
    body: { object: 'item', columns: ['text'], orderBy: [{ field: 'text', dir: 'asc' }] },
  },
  {
    ...{ type: 'list_view', key: 'bills', label: 'All bills' },
    body: {
      object: 'bill',
      columns: ['number', 'payer.city', 'total'],
      orderBy: [{ field: 'number', dir: 'asc' }],
    },
  },
  {
    ...{ type: 'layout', key: 'bill_page', label: 'Bill page' },
    body: {
      object: 'bill',
      sections: [
        section(
          ...(['main', 'Bill', 2] as const),
          field('number'),
          element('who', 'lookup_field', { field: 'payer', mode: 'edit', label: 'Paid by' }),
          field('net'),
          field('payer.city'),
        ),
        section('sums', 'Sums', 3, field('items'), field('double'), field('total')),
        section(
          'rows',
          'Rows',
          1,
          element('items', 'list_view', { listView: 'items', via: 'bill', label: 'Its items' }),
        ),
      ],
    },
  },
  {
    ...{ type: 'layout', key: 'bill_short', label: 'Short page' },
    body: { object: 'bill', sections: [section('main', 'Only the number', 1, field('number'))] },
  },
  {
    ...{ type: 'app', key: 'desk', label: 'Desk' },
    body: {
      ...{ order: 2, objects: ['bill', 'payer'] },
      pages: [
        {
          ...{ key: 'start', label: 'Start page' },
          sections: [
            section(
              ...(['all', 'Everything', 2] as const),
              element('payer', 'lookup_field', { object: 'payer', label: 'Find a payer' }),
              element('bills', 'list_view', { listView: 'bills' }),
            ),
          ],
        },
      ],
      flows: [
        {
          ...{ key: 'add', label: 'New bill', object: 'bill' },
          steps: [
            {
              ...{ key: 'who', label: 'Who' },
              sections: [
                section('who', 'Who pays', 2, element('payer', 'lookup_field', {}), field('number')),
              ],
            },
            {
              key: 'what',
              label: 'What',
              sections: [section('what', 'How much', 1, field('net'), field('due'))],
            },
          ],
        },
      ],
    },
  },
  { type: 'app', key: 'archive', label: 'Archive', body: { order: 1, objects: ['payer'] } },
  {
    ...{ type: 'config_entry', key: 'rebate.desk', label: 'In the desk' },
    body: { set: 'rebate', scope: { kind: 'app', app: 'desk' }, values: { value: true } },
  },
]

const rights = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }
const computed = new Set(['bill.items', 'bill.double', 'bill.total'])
const fields = [
  ...['payer.name', 'payer.city', 'item.text', 'item.bill'],
  ...['number', 'payer', 'due', 'net', 'note', 'items', 'double', 'total'].map((key) => `bill.${key}`),
]

export interface Bills {
  /** Ids of records. */
  payer: string
  bill: string
}

/** One payer and one bill, on which the administrator has every right. */
export async function layBills({ call }: Pick<Studio, 'call'>): Promise<Bills> {
  const { component } = await call<{ component: { body: object } }>(
    'GET',
    '/metadata/v3/components/permission_set/administrator',
  )
  const administrator = {
    ...component,
    body: {
      ...component.body,
      objects: { payer: rights, bill: rights, item: rights },
      fields: Object.fromEntries(fields.map((name) => [name, { read: true, edit: !computed.has(name) }])),
    },
  }
  await call('POST', '/metadata/v3/apply', { components: [...components, administrator], rationale: 'Bills' })
  const { id: payer } = await call<{ id: string }>('POST', '/data/v3/payer', {
    name: 'Packhaus Hamm',
    city: 'Hamm',
  })
  const { id: bill } = await call<{ id: string }>('POST', '/data/v3/bill', {
    number: 'B-1',
    payer,
    net: '100',
  })
  return { payer, bill }
}
