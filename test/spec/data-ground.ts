// The org that the tables of records and values use: a singleton set at every scope, a dated set, flags, objects whose
// formulas read them, and users with different rights.
import { edit, entry, flag, set } from './ground.ts'

const component = (type: string, key: string, body: object): object => ({ type, key, label: key, body })
const readers = { administrator: 'read', clerks: 'read' }
const singleton = (key: string, body: object): object =>
  component('config_set', key, { cardinality: 'singleton', read: readers, edit, ...body })

/** One entry at each kind of scope, most specific first; `extra` only at org. */
const tiers: readonly [slug: string, scope: object, more?: object][] = [
  ['ann', { kind: 'user', user: 'ann' }],
  ['chiefs', { kind: 'permission_set', permissionSet: 'chiefs' }, { priority: 9 }],
  ['clerks', { kind: 'permission_set', permissionSet: 'clerks' }, { priority: 1 }],
  ['de_at', { kind: 'locale', locale: 'de-AT' }],
  ['de', { kind: 'locale', locale: 'de' }],
  ['shop', { kind: 'app', app: 'shop' }],
  ['test', { kind: 'environment', environment: 'test' }],
  ['org', { kind: 'org' }],
]

const tierEntries: readonly object[] = tiers.map(([slug, scope, more]) => {
  const values = { name: slug, ...(slug === 'org' ? { extra: 'only here' } : {}) }
  return entry(`tier.${slug}`, { scope, ...more, values })
})
/** The first names a user, who must exist. */
const [ofAnn, ...ofOthers] = tierEntries

/** Written in a different order than the chain is walked. */
const tier = singleton('tier', {
  scopes: ['org', 'locale', 'user', 'environment', 'permission_set', 'app'],
  fields: [
    { key: 'name', type: 'text', required: true },
    { key: 'extra', type: 'text' },
  ],
})

export const vat = (body: object = {}): object =>
  set('vat', {
    scopes: ['environment', 'org'],
    effectiveDated: true,
    asOfField: 'bill.due',
    fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
    read: readers,
    ...body,
  })
export const rate = (
  slug: string,
  key: string,
  from: string,
  to: string | null,
  value: string,
  scope?: object,
) =>
  entry(`vat.${slug}`, {
    ...{ key, effectiveFrom: from, effectiveTo: to, values: { rate: value } },
    ...(scope === undefined ? {} : { scope }),
  })

/** Read by stored formulas, so it varies by nothing that the viewer is. */
const fee = singleton('fee', {
  scopes: ['app', 'environment', 'org'],
  fields: [{ key: 'amount', type: 'number', precision: 8, scale: 2, required: true }],
})

const money = { type: 'number', precision: 12, scale: 2 }
const billFields: readonly object[] = [
  { key: 'number', type: 'text', label: 'Number', required: true, unique: true },
  { key: 'due', type: 'date', label: 'Due', required: true },
  { key: 'country', type: 'text', label: 'Country', default: '"DE"' },
  { key: 'net', label: 'Net', ...money },
  { key: 'memo', type: 'text', label: 'Memo' },
  { key: 'customer', type: 'reference', label: 'Customer', references: 'customer' },
  {
    key: 'tax',
    label: 'Tax',
    ...money,
    formula: { expression: 'net * config.vat(country).rate', stored: true },
  },
  { key: 'total', label: 'Total', ...money, formula: { expression: 'net + tax', stored: true } },
  {
    key: 'charged',
    label: 'Charged',
    ...money,
    formula: { expression: 'net + config.fee.amount', stored: true },
  },
  { key: 'sight', type: 'text', label: 'Sight', formula: { expression: 'config.tier.name', stored: false } },
]

export const bill = (fields: readonly object[] = billFields, more: object = {}): object =>
  component('object', 'bill', {
    fields,
    nameField: 'number',
    validationRules: [
      { key: 'positive', when: 'net < 0', message: 'The net amount is negative.', field: 'net' },
    ],
    sharing: {
      default: 'private',
      rules: [{ key: 'small', when: 'net < 1000', permissionSet: 'lookers', access: 'read' }],
    },
    ...more,
  })
/** The fields of a bill, each changed or left out by `change`. */
export const billWith = (change: (field: { key: string }) => object | null, ...added: object[]): object =>
  bill([...billFields.flatMap((field) => change(field as { key: string }) ?? []), ...added])

const customer = component('object', 'customer', {
  fields: [
    { key: 'name', type: 'text', label: 'Name', required: true },
    { key: 'city', type: 'text', label: 'City' },
    {
      key: 'billed',
      label: 'Billed',
      ...money,
      rollup: { child: 'bill', via: 'customer', op: 'sum', of: 'net' },
    },
  ],
  nameField: 'name',
})

const billKeys = billFields.map((field) => (field as { key: string }).key)

const all = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }
const computed: ReadonlySet<string> = new Set([
  'bill.tax',
  'bill.total',
  'bill.charged',
  'bill.sight',
  'customer.billed',
])
const rights = (object: string, keys: readonly string[]): [string, object][] =>
  keys.map((key) => {
    const field = `${object}.${key}`
    return [field, { read: true, edit: !computed.has(field) }]
  })

const clerks = (more: readonly string[] = [], less: readonly string[] = []): object =>
  component('permission_set', 'clerks', {
    objects: { bill: all, customer: all },
    fields: Object.fromEntries([
      ...rights('bill', [...billKeys.filter((key) => !less.includes(key)), ...more]),
      ...rights('customer', ['name', 'city', 'billed']),
    ]),
  })
/** Clerks with rights on more fields of a bill, and without those on others. */
export const clerksWith = clerks

export const dataGround: readonly object[] = [
  component('app', 'shop', { objects: [], pages: [], flows: [] }),
  component('permission_set', 'editors', {}),
  component('permission_set', 'chiefs', {}),
  clerks(),
  component('permission_set', 'lookers', {
    objects: { bill: { read: true } },
    fields: Object.fromEntries(rights('bill', ['number', 'net', 'due'])),
  }),
  component('permission_set', 'memo_readers', { fields: { 'bill.memo': { read: true } } }),
  component('permission_set', 'sellers', {
    objects: { bill: { create: true, read: true, viewAll: true } },
    fields: Object.fromEntries(rights('bill', ['number', 'due', 'country', 'net', 'tax', 'charged'])),
  }),
  component('permission_set', 'shapers', { systemPermissions: ['metadata.author'] }),
  component('permission_set', 'roots', { systemPermissions: ['platform.root'] }),
  component('automation', 'shout', {
    object: 'bill',
    phase: 'before_write',
    when: 'memo == "quiet"',
    actions: [{ key: 'set', type: 'assign', values: { memo: '"LOUD"' } }],
  }),
  component('automation', 'bill_now', {
    ...{ phase: 'invocable', grantedTo: ['clerks', 'lookers'] },
    params: [
      { key: 'number', type: 'text' },
      { key: 'net', type: 'number' },
      { key: 'due', type: 'date' },
    ],
    actions: [
      {
        ...{ key: 'bill', type: 'create', object: 'bill' },
        values: { number: 'number', net: 'net', due: 'due', memo: '"quiet"' },
      },
      { key: 'large', type: 'raise', when: 'net > 9000', message: 'The bill is too large.', field: 'net' },
    ],
    returns: { tax: 'net * config.vat("DE").rate' },
  }),
  tier,
  ...ofOthers,
  vat(),
  rate('de_1', 'DE', '2020-01-01', '2021-01-01', '0.16'),
  rate('de_2', 'DE', '2021-01-01', null, '0.19'),
  rate('at', 'AT', '2000-01-01', null, '0.2'),
  rate('at_test', 'AT', '2010-01-01', '2011-01-01', '0.1', { kind: 'environment', environment: 'test' }),
  fee,
  entry('fee.org', { values: { amount: '1' } }),
  entry('fee.test', { scope: { kind: 'environment', environment: 'test' }, values: { amount: '2' } }),
  entry('fee.shop', { scope: { kind: 'app', app: 'shop' }, values: { amount: '3' } }),
  flag('beta', { scopes: ['app', 'org'], default: false, read: readers }),
  entry('beta.shop', { scope: { kind: 'app', app: 'shop' }, values: { value: true } }),
  customer,
  bill(),
]

/** Applied after the users were added. */
export const laterGround: readonly object[] = [ofAnn!]

/**
 * `ann` and `cle` are clerks; `lou` sees some bills and some of their fields, `uni` one more of them; `mia` sees what sets
 * are and not what they contain; `sal` adds bills and sees no set; `roo` bypasses all checks; `nob` has no rights.
 */
export const dataUsers: Readonly<Record<string, readonly string[]>> = {
  ann: ['clerks'],
  cle: ['clerks', 'chiefs'],
  lou: ['lookers'],
  uni: ['lookers', 'memo_readers'],
  mia: ['lookers', 'shapers'],
  sal: ['sellers'],
  roo: ['roots'],
  nob: [],
}
