// The org that the tables use: an object, value set, permission sets, a dated set with rows, a flag, readers.

const componentJson = (type: string, key: string, body: object, more: object = {}): object => ({
  type,
  key,
  label: key,
  body,
  ...more,
})
/** A user who can edit; `editors` holds no system permission. */
export const edit = { administrator: 'edit', editors: 'edit' }

export const set = (key: string, body: object): object =>
  componentJson('config_set', key, {
    cardinality: 'keyed',
    keyedBy: { key: 'country', type: 'text' },
    scopes: ['org'],
    edit,
    ...body,
  })
export const entry = (key: string, body: object): object =>
  componentJson('config_entry', key, { set: key.split('.')[0], scope: { kind: 'org' }, ...body })
export const flag = (key: string, body: object): object =>
  componentJson('feature_flag', key, {
    owner: 'user:admin',
    expiresOn: '2099-12-31',
    scopes: ['org'],
    default: false,
    edit,
    ...body,
  })

/** Undated, keyed by country, with a field of each kind whose value can be invalid. */
export const plain = (body: object = {}): object =>
  set('plain', {
    fields: [
      { key: 'rate', type: 'number', precision: 6, scale: 4, required: true },
      { key: 'band', type: 'enum', valueSet: 'bands' },
      { key: 'since', type: 'date' },
      { key: 'on', type: 'boolean' },
    ],
    ...body,
  })
export const plainRow = (values: object): object =>
  entry('plain.de', { key: 'DE', values: { rate: '0.19', ...values } })

/** Effective-dated by invoice.due, with entries at permission sets and org. */
export const dated = set('dated', {
  scopes: ['permission_set', 'org'],
  effectiveDated: true,
  asOfField: 'invoice.due',
  fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
})
export const range = (slug: string, from: string, to: string | null, more: object = {}): object =>
  entry(`dated.${slug}`, {
    key: 'DE',
    effectiveFrom: from,
    effectiveTo: to,
    values: { rate: '0.19' },
    ...more,
  })
export const clerks = { scope: { kind: 'permission_set', permissionSet: 'clerks' }, priority: 1 }
export const chiefs = { scope: { kind: 'permission_set', permissionSet: 'chiefs' }, priority: 1 }

export const fieldOf = (formula: object): object =>
  componentJson('object', 'order', {
    fields: [
      { key: 'due', type: 'date', label: 'Due', required: true },
      { key: 'total', type: 'number', label: 'Total', precision: 12, scale: 2, formula },
    ],
  })
export const calc = (key: string, expression: string): object =>
  componentJson('calc_function', key, {
    params: [{ key: 'x', type: 'number' }],
    returns: 'number',
    expression,
  })

export const ground: readonly object[] = [
  componentJson('object', 'invoice', {
    fields: [
      { key: 'due', type: 'date', label: 'Due', required: true },
      { key: 'memo', type: 'text', label: 'Memo' },
    ],
  }),
  componentJson('value_set', 'bands', {
    values: [
      { key: 'low', label: 'Low' },
      { key: 'high', label: 'High' },
    ],
  }),
  componentJson('permission_set', 'clerks', {}),
  componentJson('permission_set', 'chiefs', {}),
  componentJson('permission_set', 'editors', {}),
  plain(),
  plainRow({}),
  entry('plain.at', { key: 'AT', values: { rate: '0.2' } }),
  dated,
  range('de_1', '2020-01-01', '2021-01-01'),
  range('de_2', '2021-01-01', null),
  flag('beta', { scopes: ['environment', 'org'] }),
  // Past its expiry: it is new here, so it can still add its value and its first entry.
  flag('old', { scopes: ['environment', 'org'], expiresOn: '2020-01-31', rationale: 'Rollout.' }),
  entry('old.test', { scope: { kind: 'environment', environment: 'test' }, values: { value: true } }),
  calc('taxed', 'x * (1 + config.plain("DE").rate)'),
]
