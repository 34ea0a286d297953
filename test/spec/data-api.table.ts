// Records, batches and queries (section 4.1 of the specification).
import { expect } from 'vitest'
import { done, seen, type As, type DataOrg, type Given, type Query, type RuleCase } from './data-target.ts'
import { addBill } from './values.table.ts'

const ann: As = { user: 'ann' }
/** Sees bills below 1,000, and of them number, net and due. */
const lou: As = { user: 'lou' }
const nob: As = { user: 'nob' }

const fieldsOf = (given: Given): unknown => seen(given, ({ fields }) => fields)
const missing = '01a21d36-7ad5-7000-a84d-14b41cc03675'

const addCustomer = async (org: DataOrg, name: string): Promise<string> =>
  done(await org.save(ann, 'customer', { op: 'insert', fields: { name, city: 'Graz' } })).id
const netOf = async (org: DataOrg, id: string) => fieldsOf(await org.get(ann, 'bill', id, ['net']))

/** Bills of a new customer, with these net amounts. */
async function billsOf(
  org: DataOrg,
  nets: readonly (string | null)[],
): Promise<{ customer: string; ids: string[] }> {
  const customer = await addCustomer(org, 'Ada')
  const ids: string[] = []
  for (const net of nets) ids.push((await addBill(org, { customer, net })).id)
  return { customer, ids }
}

/** A query over the bills of one customer gives the net amounts. */
async function nets(org: DataOrg, customer: string, query: Partial<Query>, as = ann): Promise<unknown> {
  const filter = `customer == "${customer}"`
  const found = await org.query(as, {
    ...{ object: 'bill', fields: ['net'], orderBy: [{ field: 'net' }], ...query },
    filter: query.filter === undefined ? filter : `${filter} && (${query.filter})`,
  })
  return seen(found, ({ records }) => records.map(({ fields }) => fields['net']))
}

const query = (
  name: string,
  sent: Partial<Query>,
  gives: unknown,
  amounts: readonly (string | null)[] = ['30', null, '10', '20'],
): RuleCase => ({
  ...{ rule: '4.1 query', name, gives },
  run: async (org) => nets(org, (await billsOf(org, amounts)).customer, sent),
})
/** The code and the message, which must not depend on what is hidden. */
const refusal = (given: Given, name: string): unknown =>
  'refused' in given ? [given.refused, given.message.replaceAll(name, '<name>')] : given

const http = (
  rule: string,
  name: string,
  run: (org: DataOrg) => Promise<unknown>,
  gives: unknown,
): RuleCase => ({ ...{ rule, name, run, gives }, only: 'http' })

export const dataApiCases: readonly RuleCase[] = [
  {
    rule: '4.1 GET',
    name: 'a record has its computed fields',
    run: async (org) => {
      const { id } = await addBill(org, { number: 'GET-1' })
      return fieldsOf(await org.get(ann, 'bill', id))
    },
    gives: {
      ...{ number: 'GET-1', due: '2020-06-01', country: 'DE', net: '100.00', memo: null, customer: null },
      ...{ tax: '16.00', total: '116.00', charged: '102.00', sight: 'ann' },
    },
  },
  {
    rule: '4.1 GET',
    name: 'a field that the caller cannot read is null, not left out',
    run: async (org) => {
      const { id } = await addBill(org, { number: 'GET-2', memo: 'secret' })
      return fieldsOf(await org.get(lou, 'bill', id))
    },
    gives: {
      ...{ number: 'GET-2', due: '2020-06-01', country: null, net: '100.00', memo: null, customer: null },
      ...{ tax: null, total: null, charged: null, sight: null },
    },
  },
  {
    rule: '4.1 GET',
    name: 'a record that the caller cannot see does not exist',
    run: async (org) => {
      const { id } = await addBill(org, { net: '1000' })
      const [hidden, none] = [await org.get(lou, 'bill', id), await org.get(lou, 'bill', missing)]
      return [
        refusal(hidden, id),
        JSON.stringify(refusal(hidden, id)) === JSON.stringify(refusal(none, missing)),
      ]
    },
    gives: [['record.not_found', expect.stringContaining('<name>')], true],
  },
  {
    rule: '4.1 GET',
    name: 'an object that the caller has no right on does not exist',
    run: async (org) => [
      seen(await org.get(nob, 'bill', missing), () => 'found'),
      seen(await org.get(lou, 'customer', missing), () => 'found'),
    ],
    gives: ['object.not_found', 'object.not_found'],
  },

  {
    rule: '4.1 POST',
    name: 'a record goes through the save order: default, formulas, automation, roll-up',
    run: async (org) => {
      const customer = await addCustomer(org, 'Bo')
      const { fields } = await addBill(org, { number: 'POST-1', customer, memo: 'quiet' })
      const parent = fieldsOf(await org.get(ann, 'customer', customer, ['billed']))
      return [fields['country'], fields['tax'], fields['total'], fields['memo'], parent]
    },
    gives: ['DE', '16.00', '116.00', 'LOUD', { billed: '100.00' }],
  },
  {
    rule: '4.1 POST',
    name: 'a validation rule refuses it, and nothing is saved',
    run: async (org) => {
      const number = 'POST-2'
      const saved = await org.save(ann, 'bill', {
        op: 'insert',
        fields: { number, due: '2020-01-01', net: '-1' },
      })
      const found = await org.query(ann, { object: 'bill', fields: ['net'], filter: `number == "${number}"` })
      return [seen(saved, () => 'saved'), seen(found, ({ records }) => records.length)]
    },
    gives: ['record.invalid', 0],
  },
  ...(
    [
      ['a required field is missing', { number: 'X' }],
      ['a field does not exist', { number: 'X', due: '2020-01-01', colour: 'red' }],
      ['a computed field is sent', { number: 'X', due: '2020-01-01', tax: '1' }],
      ['a number has a percent sign', { number: 'X', due: '2020-01-01', net: '5%' }],
      ['a day does not exist', { number: 'X', due: '2020-02-30' }],
      ['a reference leads nowhere', { number: 'X', due: '2020-01-01', customer: missing }],
    ] as const
  ).map(([name, fields]): RuleCase => ({
    ...{ rule: '4.1 POST', name: `is refused if ${name}`, gives: 'record.invalid' },
    run: async (org) => seen(await org.save(ann, 'bill', { op: 'insert', fields }), () => 'saved'),
  })),
  {
    rule: '4.1 POST',
    name: 'a unique value is refused a second time',
    run: async (org) => {
      const { fields } = await addBill(org)
      const again = { number: fields['number'], due: '2020-01-01' }
      return seen(await org.save(ann, 'bill', { op: 'insert', fields: again }), () => 'saved')
    },
    gives: 'record.invalid',
  },

  {
    rule: '4.1 PATCH',
    name: 'changes the fields that are sent and what follows from them, and counts the version',
    run: async (org) => {
      const { id } = await addBill(org, { memo: 'kept' })
      const { version, fields } = done(
        await org.save(ann, 'bill', { op: 'update', id, version: 1, fields: { net: '200' } }),
      )
      return [version, fields['net'], fields['total'], fields['memo']]
    },
    gives: [2, '200.00', '232.00', 'kept'],
  },
  {
    rule: '4.1 PATCH',
    name: 'a version that is not the current one is refused, and nothing changes',
    run: async (org) => {
      const { id } = await addBill(org)
      const patch = async (net: string) =>
        seen(await org.save(ann, 'bill', { op: 'update', id, version: 1, fields: { net } }), () => 'saved')
      return [await patch('2'), await patch('3'), await netOf(org, id)]
    },
    gives: ['saved', 'conflict.stale_version', { net: '2.00' }],
  },
  http(
    '4.1 PATCH',
    'needs the version in If-Match',
    async (org) => {
      const { id } = await addBill(org)
      const { status, body } = await org.send(ann, 'PATCH', `/data/v3/bill/${id}`, { net: '1' })
      return [status, body['code']]
    },
    [428, 'request.precondition_required'],
  ),
  {
    rule: '4.1 PATCH',
    name: 'a record that the caller can read but not change is refused, a hidden one does not exist',
    run: async (org) => {
      const [small, large] = [await addBill(org), await addBill(org, { net: '1000' })]
      const patch = async (id: string) =>
        seen(await org.save(lou, 'bill', { op: 'update', id, fields: { net: '1' } }), () => 'saved')
      return [await patch(small.id), await patch(large.id)]
    },
    gives: ['access.denied', 'record.not_found'],
  },

  {
    rule: '4.1 DELETE',
    name: 'deletes the record, and its parent no longer counts it',
    run: async (org) => {
      const { customer, ids } = await billsOf(org, ['10', '20'])
      done(await org.save(ann, 'bill', { op: 'delete', id: ids[0]! }))
      return [
        seen(await org.get(ann, 'bill', ids[0]!), () => 'found'),
        fieldsOf(await org.get(ann, 'customer', customer, ['billed'])),
      ]
    },
    gives: ['record.not_found', { billed: '20.00' }],
  },
  {
    rule: '4.1 DELETE',
    name: 'goes through safe-delete: a record to which others refer stays, and they are named',
    run: async (org) => {
      const { customer, ids } = await billsOf(org, ['10'])
      const refused = await org.save(ann, 'customer', { op: 'delete', id: customer })
      const names = 'refused' in refused && refused.message.includes('bill')
      done(await org.save(ann, 'bill', { op: 'delete', id: ids[0]! }))
      const now = await org.save(ann, 'customer', { op: 'delete', id: customer })
      return [seen(refused, () => 'deleted'), names, seen(now, () => 'deleted')]
    },
    gives: ['record.referenced', true, 'deleted'],
  },

  ...[false, true].map((allOrNone): RuleCase => ({
    rule: '4.1 batch',
    name: allOrNone ? 'with allOrNone, one failure undoes all' : 'an outcome for each item, at its place',
    run: async (org) => {
      const { customer, ids } = await billsOf(org, ['10', '20'])
      const bill = (number: string, net: string) => ({
        op: 'insert',
        fields: { number: `${number}-${ids[0]}`, due: '2020-06-01', net, customer },
      })
      const items = [
        bill('a', '1'),
        bill('b', '-1'),
        { op: 'update', id: ids[0]!, fields: { net: '11' } },
        { op: 'update', id: missing, fields: { net: '11' } },
        { op: 'delete', id: ids[1]! },
      ]
      const results = seen(await org.batch(ann, 'bill', items, allOrNone), (body) => body.results)
      return [
        results,
        await nets(org, customer, {}),
        fieldsOf(await org.get(ann, 'customer', customer, ['billed'])),
      ]
    },
    gives: allOrNone
      ? [
          ['record.batch_undone', 'record.invalid', ...Array<string>(3).fill('record.batch_undone')],
          ['10.00', '20.00'],
          { billed: '30.00' },
        ]
      : [
          ['insert', 'record.invalid', 'update', 'record.not_found', 'delete'],
          ['1.00', '11.00'],
          { billed: '12.00' },
        ],
  })),
  ...[200, 201].map((count) =>
    http(
      '4.1 batch',
      `${count} items`,
      async (org) => {
        const records = Array.from({ length: count }, () => ({ op: 'delete', id: missing }))
        const { status, body } = await org.send(ann, 'POST', '/data/v3/bill/batch', { records })
        return [status, (body['results'] as unknown[] | undefined)?.length ?? body['code']]
      },
      count === 200 ? [200, 200] : [413, 'limit.too_many_elements'],
    ),
  ),

  query('ascending, absent lowest', {}, [null, '10.00', '20.00', '30.00']),
  query('descending', { orderBy: [{ field: 'net', dir: 'desc' }] }, ['30.00', '20.00', '10.00', null]),
  query('in the order of two fields', { orderBy: [{ field: 'country' }, { field: 'net', dir: 'desc' }] }, [
    '30.00',
    '20.00',
    '10.00',
    null,
  ]),
  query('in the order of their ids', { orderBy: [{ field: 'id' }] }, ['30.00', null, '10.00', '20.00']),
  query('in the opposite order of their ids', { orderBy: [{ field: 'id', dir: 'desc' }, { field: 'net' }] }, [
    '20.00',
    '10.00',
    null,
    '30.00',
  ]),
  query('a filter by the id of no record', { filter: `id == "${missing}"` }, []),
  query('a filter by ids', { filter: `!(id in ["${missing}"]) && net > 10` }, ['20.00', '30.00']),
  query('a filter in the grammar of validation rules', { filter: 'net > 10 && !(net == 30)' }, ['20.00']),
  query('a comparison with an absent value is false', { filter: 'net != 10' }, ['20.00', '30.00']),
  query('a filter along a reference', { filter: 'customer.name == "Ada" && present(net)' }, [
    '10.00',
    '20.00',
    '30.00',
  ]),
  query('a filter reads configuration', { filter: 'net > config.fee.amount * 10' }, ['30.00']),
  query('a limit', { limit: 2 }, [null, '10.00']),
  query('a filter is checked for types', { filter: 'net > "10"' }, 'expression.invalid'),
  query('a filter is checked for names', { filter: 'nett > 10' }, 'expression.invalid'),
  query('a filter must be a condition', { filter: 'net' }, 'expression.invalid'),
  query('a field that does not exist', { fields: ['net', 'nett'] }, 'request.invalid'),
  query('an order by a field that does not exist', { orderBy: [{ field: 'nett' }] }, 'request.invalid'),
  {
    rule: '4.1 query',
    name: 'projects along references',
    run: async (org) => {
      const { ids } = await billsOf(org, ['10'])
      const found = await org.query(ann, {
        ...{ object: 'bill', fields: ['net', 'customer.name', 'customer.city'] },
        filter: `net == 10 && customer.billed == 10 && number != "" && customer.name == "Ada"`,
        orderBy: [{ field: 'number', dir: 'desc' }],
      })
      return seen(found, ({ records }) => records.find(({ id }) => id === ids[0])?.fields)
    },
    gives: { net: '10.00', 'customer.name': 'Ada', 'customer.city': 'Graz' },
  },
  {
    rule: '4.1 query',
    name: 'the records that the caller can see, with hidden fields as null',
    run: async (org) => {
      const prefix = (await addBill(org, { net: '999', memo: 'secret' })).fields['number'] as string
      await addBill(org, { number: `${prefix}-large`, net: '1000' })
      const found = await org.query(lou, {
        ...{ object: 'bill', fields: ['number', 'net', 'memo'], filter: `number.startsWith("${prefix}")` },
      })
      return seen(found, ({ records }) => records.map(({ fields: { net, memo } }) => [net, memo]))
    },
    gives: [['999.00', null]],
  },
  ...(
    [
      ['a filter', (field: string) => ({ filter: `${field} == "x"` })],
      ['an order', (field: string) => ({ orderBy: [{ field }] })],
    ] as const
  ).map(([name, part]): RuleCase => ({
    rule: '4.1 query',
    name: `${name} by a hidden field is refused as by one that does not exist`,
    run: async (org) => {
      const asked = async (field: string) =>
        refusal(await org.query(lou, { object: 'bill', fields: ['net'], ...part(field) }), field)
      const [hidden, none] = [await asked('memo'), await asked('mxmo')]
      return [Array.isArray(hidden), JSON.stringify(hidden) === JSON.stringify(none)]
    },
    gives: [true, true],
  })),
  {
    rule: '4.1 query',
    name: 'pages continue after the last record, even if others are added and removed',
    run: async (org) => {
      const { customer, ids } = await billsOf(org, ['10', '20', '30', '40'])
      const page = async (cursor?: string) =>
        done(
          await org.query(ann, {
            ...{ object: 'bill', fields: ['net'], filter: `customer == "${customer}"`, limit: 2 },
            orderBy: [{ field: 'net' }],
            ...(cursor === undefined ? {} : { cursor }),
          }),
        )
      const first = await page()
      // One before the cursor, one after it; the last record of the page itself goes.
      await addBill(org, { customer, net: '5' })
      await addBill(org, { customer, net: '35' })
      done(await org.save(ann, 'bill', { op: 'delete', id: ids[1]! }))
      const second = await page(first.nextCursor!)
      const third = await page(second.nextCursor!)
      return [first, second, third].map(({ records }) => records.map(({ fields }) => fields['net']))
    },
    gives: [['10.00', '20.00'], ['30.00', '35.00'], ['40.00']],
  },
  {
    rule: '4.1 query',
    name: 'a cursor belongs to its query and its caller',
    run: async (org) => {
      await billsOf(org, ['10', '20'])
      const sent = { object: 'bill', fields: ['net'], limit: 1 }
      const { nextCursor } = done(await org.query(ann, sent))
      const next = async (as: As, more: object) =>
        seen(await org.query(as, { ...sent, cursor: nextCursor!, ...more }), () => 'continued')
      return [
        await next(ann, {}),
        await next(ann, { limit: 2 }),
        await next(ann, { filter: 'net > 1' }),
        await next(ann, { fields: ['number'] }),
        await next(lou, {}),
        await next(ann, { cursor: `${nextCursor}x` }),
      ]
    },
    gives: ['continued', 'continued', ...Array<string>(4).fill('request.malformed')],
  },
  ...(
    [
      ['needs its fields', { object: 'bill' }, [400, 'request.malformed']],
      ['needs at least one field', { object: 'bill', fields: [] }, [400, 'request.malformed']],
      [
        'returns at most 2,000 records',
        { object: 'bill', fields: ['net'], limit: 2001 },
        [400, 'request.malformed'],
      ],
      [
        'has no other properties',
        { object: 'bill', fields: ['net'], where: 'true' },
        [400, 'request.malformed'],
      ],
    ] as const
  ).map(([name, sent, gives]) =>
    http(
      '4.1 query',
      name,
      async (org) => {
        const { status, body } = await org.send(ann, 'POST', '/data/v3/query', sent)
        return [status, body['code']]
      },
      gives,
    ),
  ),
  http(
    '4.1 query',
    'has no query-string form',
    async (org) => {
      const { status, body } = await org.send(ann, 'GET', '/data/v3/query?object=bill&fields=net')
      return [status, body['code']]
    },
    [405, 'protocol.method_not_allowed'],
  ),
]
