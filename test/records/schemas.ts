// Random generations of three objects that read each other: each field in one of several meanings, or absent.
import fc from 'fast-check'
import { billing, type Bodies } from '../../server/kernel/records/fixture.ts'

const number = { type: 'number', precision: 20, scale: 4 } as const
const stored = (expression: string): object => ({ ...number, formula: { expression, stored: true } })
const virtual = (expression: string): object => ({ ...number, formula: { expression, stored: false } })
const both = (...expressions: string[]): object[] =>
  expressions.flatMap((each) => [stored(each), virtual(each)])
const rollup = (child: string, via: string, op: string, more: object = {}): object => ({
  ...number,
  rollup: { child, via, op, ...more },
})
const entered = { ...number }
const payer = (expression: string): object => ({
  ...{ type: 'reference', references: 'customer' },
  formula: { expression, stored: true },
})

/** The meanings of each field, which reads only fields before it. */
export const pool: readonly [object: string, field: string, meanings: readonly object[]][] = [
  [
    'customer',
    'c_rate',
    both(
      'config.vat(code).rate * 100',
      'config.vat("DE").rate',
      'config.base.low + n',
      'double(n)',
      'triple(n) + taxed(n, code)',
      'flag.fast ? n : config.base.low',
    ),
  ],
  ['customer', 'c_par', [...both('parent.n + n', 'parent.c_rate + n'), entered]],
  [
    'customer',
    'c_twice',
    [
      ...both(
        'c_rate * 2',
        'coalesce(parent.c_rate, 1)',
        'parent.c_rate + c_rate',
        'coalesce(c_par, 0) + c_rate',
      ),
      entered,
    ],
  ],
  [
    'invoice',
    'i_pay',
    [
      'present(other) ? other : customer',
      'customer',
      'customer.parent',
      'config.base.low > 2 ? other : customer',
      'triple(coalesce(net, 0)) > 30 ? other : customer',
      'coalesce(customer.c_twice, 0) > 30 ? other : customer',
    ].map(payer),
  ],
  [
    'invoice',
    'i_a',
    both(
      'i_pay.c_twice',
      'i_pay.c_rate * net',
      'customer.c_twice + config.vat("AT").rate',
      'customer.c_twice * net',
      'customer.parent.c_rate',
      'other.c_twice - customer.c_rate',
      'customer.parent.c_twice + double(net)',
    ),
  ],
  [
    'invoice',
    'i_b',
    both(
      'net * config.vat(customer.code).rate',
      'net + config.base.low',
      'net',
      'flag.fast ? triple(net) : net',
      'taxed(net, customer.code)',
    ),
  ],
  ['invoice', 'i_c', [...both('i_a + i_b', 'i_a * 2', 'present(net) ? i_a : customer.c_rate'), entered]],
  [
    'line',
    'l_a',
    both(
      'invoice.i_c + weight',
      'invoice.customer.c_twice',
      'invoice.customer.parent.c_twice',
      'invoice.i_a * config.vat("DE").rate',
      'kind.c_twice',
    ),
  ],
  ['line', 'l_b', [...both('l_a', 'l_a + kind.c_rate', 'invoice.i_c + invoice.customer.c_par'), entered]],
  [
    'invoice',
    'r_n',
    [
      rollup('line', 'invoice', 'count'),
      rollup('line', 'invoice', 'count', { filter: 'weight > config.vat("DE").rate * 10' }),
      rollup('line', 'invoice', 'count', { filter: 'present(kind)' }),
      rollup('line', 'invoice', 'count', { filter: 'l_a > 5' }),
      rollup('line', 'invoice', 'sum', { of: 'weight', filter: 'weight > config.base.low' }),
    ],
  ],
  [
    'invoice',
    'r_s',
    [
      rollup('line', 'invoice', 'sum', { of: 'l_a' }),
      rollup('line', 'invoice', 'max', { of: 'l_b' }),
      rollup('line', 'invoice', 'min', { of: 'weight', filter: 'double(weight) > 4' }),
      rollup('line', 'invoice', 'avg', { of: 'weight' }),
      rollup('line', 'invoice', 'sum', { of: 'l_b', filter: 'l_a > config.vat("DE").rate' }),
    ],
  ],
  ['invoice', 'i_z', both('coalesce(r_s, 0) + i_c', 'r_n + coalesce(net, 0)', 'r_n + i_a')],
  [
    'customer',
    'r_p',
    [rollup('invoice', 'i_pay', 'count'), rollup('invoice', 'i_pay', 'sum', { of: 'i_z' })],
  ],
  [
    'customer',
    'r_z',
    [
      rollup('invoice', 'customer', 'sum', { of: 'i_z' }),
      rollup('invoice', 'customer', 'count', { filter: 'net > 5 || customer == other' }),
      rollup('invoice', 'other', 'count'),
      rollup('customer', 'parent', 'sum', { of: 'n' }),
      rollup('invoice', 'customer', 'max', { of: 'r_s' }),
    ],
  ],
  ['customer', 'c_z', both('coalesce(r_z, 0) + c_twice', 'r_p', 'r_z', 'parent.r_z', 'main.i_z')],
]

const fixed: Record<string, readonly object[]> = {
  customer: [
    { key: 'name', type: 'text', required: true },
    { key: 'since', type: 'date', required: true },
    { key: 'code', type: 'text', required: true },
    { key: 'parent', type: 'reference', references: 'customer' },
    { key: 'main', type: 'reference', references: 'invoice' },
    { key: 'n', ...number },
  ],
  invoice: [
    { key: 'number', type: 'text' },
    { key: 'customer', type: 'reference', references: 'customer' },
    { key: 'other', type: 'reference', references: 'customer' },
    { key: 'first', type: 'reference', references: 'line' },
    { key: 'tax_point', type: 'date', required: true },
    { key: 'net', ...number },
  ],
  line: [
    { key: 'invoice', type: 'reference', references: 'invoice' },
    { key: 'kind', type: 'reference', references: 'customer' },
    { key: 'day', type: 'date', required: true },
    { key: 'weight', ...number },
  ],
}

const automations: Bodies = {
  'automation/a_first': {
    ...{ object: 'invoice', phase: 'after_write', when: 'changed(net) && present(first)' },
    actions: [{ type: 'update', key: 'weigh', object: 'line', record: 'first', values: { weight: 'net' } }],
  },
  'automation/b_split': {
    ...{ object: 'line', phase: 'after_write', when: 'isNew && weight > 50' },
    actions: [
      {
        ...{ type: 'create', key: 'half', object: 'line' },
        values: { invoice: 'invoice', day: 'day', weight: 'weight / 2' },
      },
    ],
  },
  'automation/c_name': {
    ...{ object: 'customer', phase: 'before_write', when: 'changed(name)' },
    actions: [{ type: 'assign', key: 'n', values: { n: 'size(name)' } }],
  },
}

export interface Schema {
  /** A meaning of each field of the pool; past the last one, it is absent. */
  meanings: readonly number[]
  rate: string
  low: string
  factor: number
  fast: boolean
  automated: boolean
}

export const schema: fc.Arbitrary<Schema> = fc.record({
  meanings: fc.tuple(...pool.map(([, , meanings]) => fc.nat({ max: meanings.length }))),
  rate: fc.constantFrom('0.1900', '0.2500', '0.0100'),
  low: fc.constantFrom('1', '3'),
  factor: fc.constantFrom(2, 3),
  fast: fc.boolean(),
  automated: fc.boolean(),
})

interface Meaning {
  formula?: { expression: string; stored: boolean }
  rollup?: { via?: string; of?: string; filter?: string }
}

/** A change of a few fields of a schema, and of configuration. */
export const edit = fc.record(
  {
    fields: fc.array(fc.tuple(fc.nat({ max: pool.length - 1 }), fc.nat({ max: 10 })), { maxLength: 3 }),
    rate: fc.constantFrom('0.1900', '0.2500', '0.0100'),
    low: fc.constantFrom('1', '3'),
    factor: fc.constantFrom(2, 3),
    fast: fc.boolean(),
    automated: fc.boolean(),
  },
  { requiredKeys: ['fields'] },
)

export function edited(
  from: Schema,
  { fields, ...others }: Partial<Schema> & { fields: readonly [number, number][] },
): Schema {
  const meanings = [...from.meanings]
  for (const [at, meaning] of fields) meanings[at] = meaning % (pool[at]![2].length + 1)
  return { ...from, ...others, meanings }
}

/** A field is absent if it reads one that is, or rolls up one that is not stored. */
export function bodiesOf({ meanings, rate, low, factor, fast, automated }: Schema): Bodies {
  const present = new Map<string, Meaning>()
  const objects: Record<string, object[]> = Object.fromEntries(
    Object.entries(fixed).map(([key, fields]) => [key, [...fields]]),
  )
  for (const [at, [object, key, all]] of pool.entries()) {
    const meaning = all[meanings[at]!] as Meaning | undefined
    if (meaning === undefined) continue
    const { formula, rollup: over } = meaning
    const names =
      [formula?.expression, over?.via, over?.of, over?.filter].join(' ').match(/\b[cilr]_[a-z]+\b/g) ?? []
    const isPresent = names.every((name) => {
      const read = present.get(name)
      return read !== undefined && (over === undefined || read.formula?.stored !== false)
    })
    if (!isPresent) continue
    present.set(key, meaning)
    objects[object]!.push({ key, ...meaning })
  }
  const entries = Object.entries(billing(rate)).filter(([id]) => id.startsWith('config_entry/'))
  return {
    ...Object.fromEntries(entries),
    'config_set/vat': {
      ...{ cardinality: 'keyed', keyedBy: { key: 'country', type: 'text' }, effectiveDated: true },
      asOfField: ['customer.since', 'invoice.tax_point', 'line.day'],
      fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
    },
    'config_set/base': {
      cardinality: 'singleton',
      fields: [{ key: 'low', type: 'number', precision: 6, scale: 2, required: true }],
    },
    'config_entry/base.only': { set: 'base', scope: { kind: 'org' }, values: { low } },
    'feature_flag/fast': {
      owner: { user: 'admin' },
      expiresOn: '2099-01-01',
      default: fast,
      scopes: ['org'],
    },
    'calc_function/triple': {
      params: [{ key: 'x', type: 'number' }],
      returns: 'number',
      expression: 'double(x) + x + config.base.low',
    },
    'calc_function/taxed': {
      params: [
        { key: 'x', type: 'number' },
        { key: 'code', type: 'text' },
      ],
      returns: 'number',
      expression: 'x * config.vat(code).rate',
    },
    'calc_function/double': {
      params: [{ key: 'x', type: 'number' }],
      returns: 'number',
      expression: `x * ${factor}`,
    },
    ...Object.fromEntries(Object.entries(objects).map(([key, fields]) => [`object/${key}`, { fields }])),
    ...(automated ? automations : {}),
  }
}

const place = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: 40 }) },
  { weight: 2, arbitrary: fc.constant(null) },
)
const amount = fc.constantFrom<string | null>('0', '1.5', '10', '60', '3.25', null)
const date = fc.constantFrom('2019-02-02', '2020-08-08', '2021-03-03', '2022-05-05')

/** Values of any of the three objects, by field. References are places among the records of their object. */
export const sentValues = fc.record(
  {
    name: fc.constantFrom('Ada', 'Bobby', 'C'),
    code: fc.constantFrom('DE', 'AT'),
    since: date,
    tax_point: date,
    day: date,
    parent: place,
    main: place,
    customer: place,
    other: place,
    first: place,
    invoice: place,
    kind: place,
    n: amount,
    net: amount,
    weight: amount,
  },
  { requiredKeys: [] },
)

export const targets: Readonly<Record<string, string>> = {
  ...{ parent: 'customer', main: 'invoice', customer: 'customer', other: 'customer' },
  ...{ first: 'line', invoice: 'invoice', kind: 'customer' },
}
export const required: Readonly<Record<string, object>> = {
  customer: { name: 'Zoe', code: 'DE', since: '2022-01-01' },
  invoice: { tax_point: '2022-01-01' },
  line: { day: '2022-01-01' },
}
export const ownFields = (object: string): string[] =>
  fixed[object]!.map((field) => (field as { key: string }).key)
