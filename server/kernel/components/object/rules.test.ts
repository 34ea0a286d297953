import { describe, expect, it } from 'vitest'
import { component, findingsOf, codesWithPaths } from '../rule-fixture.ts'

const number = { key: 'amount', type: 'number', precision: 10, scale: 2 }
const text = { key: 'name', type: 'text' }
const line = component('object/line', {
  fields: [
    { key: 'invoice', type: 'reference', references: 'invoice', aliases: ['bill'] },
    { key: 'other', type: 'reference', references: 'customer', aliases: ['former'] },
    {
      ...{ key: 'bill_now', type: 'reference', references: 'invoice' },
      formula: { expression: 'invoice', stored: false },
    },
    { key: 'price', type: 'number', precision: 10, scale: 2 },
    { key: 'day', type: 'date' },
    text,
  ],
  aliases: ['row'],
})
const remote = component('object/order', {
  storage: 'external',
  dataSource: 'erp',
  remoteEntity: 'Orders',
  externalId: 'Id',
  fields: [{ key: 'invoice', type: 'reference', references: 'invoice' }],
})
const weak = component('external_data_source/weak', { adapter: 'odata_v4', namedCredential: 'api' })
const others = [line, remote, weak]
const check = (body: object, key = 'invoice') =>
  codesWithPaths(findingsOf(component(`object/${key}`, body), { others }))
const fields = (...given: object[]) => ({ fields: given })
const total = (rollup: object, type = 'number') =>
  fields({
    key: 'total',
    type,
    ...(type === 'number' ? { precision: 12, scale: 2 } : {}),
    rollup: { child: 'line', via: 'invoice', ...rollup },
  })
const virtual = (...fieldList: object[]) => ({
  storage: 'external',
  dataSource: 'erp',
  remoteEntity: 'X',
  externalId: 'Id',
  fields: fieldList,
})

describe('an object', () => {
  const cases: [string, object, string[]][] = [
    ['with fields', { ...fields(number, text), nameField: 'name' }, []],
    [
      'with more than 500 fields',
      fields(...Array.from({ length: 501 }, (_, at) => ({ key: `f${at}`, type: 'text' }))),
      ['object.too_many_fields /body/fields'],
    ],
    ['with two fields of one key', fields(text, text), ['key.duplicate_item /body/fields/1/key']],
    [
      'with a reference to nothing',
      fields({ key: 'a', type: 'reference' }),
      ['object.field_shape /body/fields/0/references'],
    ],
    [
      'with a sensitive number',
      fields({ ...number, sensitive: true }),
      ['object.field_shape /body/fields/0/sensitive'],
    ],
    [
      'with a default for a computed field',
      fields({ ...number, default: '1', formula: { expression: '1' } }),
      ['object.field_shape /body/fields/0/default'],
    ],
    [
      'with a required formula',
      fields({ ...number, required: true, unique: true, formula: { expression: '1' } }),
      ['object.field_shape /body/fields/0/required', 'object.field_shape /body/fields/0/unique'],
    ],
    [
      'with an alias that is a field',
      fields(text, { ...number, aliases: ['name'] }),
      ['object.alias /body/fields/1/aliases/0'],
    ],
    [
      'with an alias that is the key of an object',
      { ...fields(text), aliases: ['row'] },
      ['object.alias /body/aliases/0'],
    ],
    [
      'with a number for a name',
      { ...fields(number), nameField: 'amount' },
      ['object.name_field /body/nameField'],
    ],
    [
      'with a name field that is not there',
      { ...fields(number), nameField: 'nam' },
      ['reference.unknown_field /body/nameField'],
    ],
    [
      'with an owner that is a number',
      { ...fields(number), sharing: { ownerField: 'amount' } },
      ['object.owner_field /body/sharing/ownerField'],
    ],
    [
      'with captured fields that are not there',
      { ...fields(text), capture: { enabled: true, fields: ['nope'] } },
      ['reference.unknown_field /body/capture/fields/0'],
    ],
    [
      'with a rule beside no field',
      { ...fields(text), validationRules: [{ key: 'a', when: 'true', message: 'No.', field: 'nam' }] },
      ['reference.unknown_field /body/validationRules/0/field'],
    ],
    [
      'with two rules of one key',
      {
        ...fields(text),
        validationRules: [
          { key: 'a', when: 'true', message: 'No.' },
          { key: 'a', when: 'true', message: 'No.' },
        ],
      },
      ['key.duplicate_item /body/validationRules/1/key'],
    ],
    [
      'local, with a remote field',
      fields({ ...text, remoteField: 'Name' }),
      ['object.virtual /body/fields/0/remoteField'],
    ],
    [
      'virtual, with remote types that its fields can map',
      virtual(
        { ...text, remoteType: 'Edm.Guid', readOnly: true },
        { ...number, remoteType: 'Edm.Double' },
        { key: 'at', type: 'datetime', remoteField: 'Header/At' },
      ),
      [],
    ],
    [
      'virtual, with a remote type of a different kind',
      virtual({ ...number, remoteType: 'Edm.String' }, { ...text, remoteType: 'Sales.Status' }),
      ['object.field_shape /body/fields/0/remoteType', 'object.field_shape /body/fields/1/remoteType'],
    ],
    [
      'virtual, with names that are not names in OData',
      {
        ...virtual({ ...text, remoteField: "Name eq 'x' or Id" }),
        remoteEntity: 'Orders/Lines',
        externalId: '2nd',
        ownerColumn: 'Owner?',
      },
      [
        'object.remote_name /body/remoteEntity',
        'object.remote_name /body/externalId',
        'object.remote_name /body/ownerColumn',
        'object.remote_name /body/fields/0/remoteField',
      ],
    ],
    [
      'virtual, with an owner column that its source cannot filter by',
      { ...virtual(text), dataSource: 'weak', ownerColumn: 'Owner' },
      ['object.owner_column /body/ownerColumn'],
    ],
    [
      'virtual, with a computed field that maps a property',
      virtual({ ...number, formula: { expression: '1' }, remoteField: 'A', readOnly: true }),
      ['object.virtual /body/fields/0/remoteField', 'object.virtual /body/fields/0/readOnly'],
    ],
    [
      'local, with a field of a source',
      fields({ ...text, remoteType: 'Edm.Guid', readOnly: true }),
      ['object.virtual /body/fields/0/remoteType', 'object.virtual /body/fields/0/readOnly'],
    ],
    ['virtual', virtual({ ...text, remoteField: 'Name' }, { ...number, formula: { expression: '1' } }), []],
    [
      'virtual, with a unique field',
      virtual({ ...text, unique: true }),
      ['object.virtual /body/fields/0/unique'],
    ],
    [
      'virtual, with a stored formula',
      virtual({ ...number, formula: { expression: '1', stored: true } }),
      ['object.virtual /body/fields/0/formula'],
    ],
    [
      'virtual, with a roll-up',
      virtual({ ...number, rollup: { child: 'line', via: 'invoice', op: 'count' } }),
      ['object.virtual /body/fields/0/rollup'],
    ],
  ]
  it.each(cases)('%s', (_name, body, expected) => expect(check(body)).toEqual(expected))

  it('cannot have a key that the data API needs', () => {
    for (const key of ['batch', 'jobs', 'query'])
      expect(check(fields(text), key)).toEqual(['object.reserved_key /key'])
    expect(check({ ...fields(text), aliases: ['jobs'] })).toEqual(['object.reserved_key /body/aliases/0'])
  })
})

describe('a roll-up', () => {
  const cases: [string, object, string[]][] = [
    ['counts', total({ op: 'count' }), []],
    ['sums', total({ op: 'sum', of: 'price' }), []],
    ['goes through a former name of the reference', total({ via: 'bill', op: 'count' }), []],
    ['takes the latest day', total({ op: 'max', of: 'day' }, 'date'), []],
    ['counts something', total({ op: 'count', of: 'price' }), ['object.rollup /body/fields/0/rollup/of']],
    ['sums nothing', total({ op: 'sum' }), ['object.rollup /body/fields/0/rollup']],
    ['sums text', total({ op: 'sum', of: 'name' }), ['object.rollup /body/fields/0/rollup/of']],
    ['takes the largest text', total({ op: 'max', of: 'name' }), ['object.rollup /body/fields/0/rollup/of']],
    ['takes a day into a number', total({ op: 'max', of: 'day' }), ['object.rollup /body/fields/0/type']],
    ['counts into a text', total({ op: 'count' }, 'text'), ['object.rollup /body/fields/0/type']],
    [
      'goes through a field that points elsewhere',
      total({ via: 'other', op: 'count' }),
      ['object.rollup /body/fields/0/rollup/via'],
    ],
    [
      'goes through a former name of such a field',
      total({ via: 'former', op: 'count' }),
      ['object.rollup /body/fields/0/rollup/via'],
    ],
    [
      'goes through a reference that is computed when it is read',
      total({ via: 'bill_now', op: 'count' }),
      ['object.rollup /body/fields/0/rollup/via'],
    ],
    [
      'goes through a field that is not there',
      total({ via: 'invoce', op: 'count' }),
      ['reference.unknown_field /body/fields/0/rollup/via'],
    ],
    [
      'uses a virtual object',
      total({ child: 'order', op: 'count' }),
      ['object.rollup /body/fields/0/rollup/child'],
    ],
  ]
  it.each(cases)('%s', (_name, body, expected) => expect(check(body)).toEqual(expected))
})
