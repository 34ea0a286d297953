// A small org for queries: a singleton set, a keyed and dated set, a flag, components that read them, and a client.

export const administrator = { read: { administrator: 'read' }, edit: { administrator: 'edit' } } as const

export const invoice = {
  type: 'object',
  key: 'invoice',
  label: 'Invoice',
  body: {
    fields: [
      { key: 'number', type: 'text', label: 'Number', required: true },
      { key: 'tax_point', type: 'date', label: 'Tax point', required: true },
      { key: 'net', type: 'number', label: 'Net', precision: 12, scale: 2 },
    ],
    nameField: 'number',
  },
}

export const vatRate = {
  type: 'config_set',
  key: 'vat_rate',
  label: 'VAT rate',
  body: {
    cardinality: 'keyed',
    keyedBy: { key: 'territory', type: 'text' },
    scopes: ['environment', 'org'],
    effectiveDated: true,
    asOfField: 'invoice.tax_point',
    fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
    ...administrator,
  },
}

export function rate(slug: string, key: string, from: string, to: string | null, value: string): object {
  return {
    type: 'config_entry',
    key: `vat_rate.${slug}`,
    label: `${key} from ${from}`,
    body: {
      set: 'vat_rate',
      key,
      scope: { kind: 'org' },
      effectiveFrom: from,
      effectiveTo: to,
      values: { rate: value },
    },
  }
}

export const rates = [
  rate('de_2007', 'DE', '2007-01-01', '2020-07-01', '0.19'),
  rate('de_2020', 'DE', '2020-07-01', '2021-01-01', '0.16'),
  rate('de_2021', 'DE', '2021-01-01', null, '0.19'),
  rate('at_1995', 'AT', '1995-01-01', null, '0.2'),
]

export const greeting = {
  type: 'config_set',
  key: 'greeting',
  label: 'Greeting',
  body: {
    cardinality: 'singleton',
    scopes: ['user', 'app', 'org'],
    fields: [{ key: 'words', type: 'text', required: true }],
    ...administrator,
  },
}

export const greetings = [
  {
    type: 'config_entry',
    key: 'greeting.all',
    label: 'For all',
    body: { set: 'greeting', scope: { kind: 'org' }, values: { words: 'Good day' } },
  },
]

/** A set that no permission set grants. */
export const sealed = {
  type: 'config_set',
  key: 'sealed',
  label: 'Sealed',
  body: { cardinality: 'singleton', fields: [{ key: 'words', type: 'text', required: true }] },
}

export const sealedEntry = {
  type: 'config_entry',
  key: 'sealed.all',
  label: 'Sealed words',
  body: { set: 'sealed', scope: { kind: 'org' }, values: { words: 'hush' } },
}

export const grossFunction = {
  type: 'calc_function',
  key: 'gross',
  label: 'Gross',
  body: {
    params: [
      { key: 'net', type: 'number' },
      { key: 'territory', type: 'text' },
    ],
    returns: 'number',
    expression: 'net * (1 + config.vat_rate(territory).rate)',
  },
}

export function flag(expiresOn: string): object {
  return {
    type: 'feature_flag',
    key: 'new_invoice',
    label: 'New invoice',
    body: { owner: { user: 'admin' }, expiresOn, default: false, ...administrator },
  }
}

/** A permission set that only reads configuration, and a client that runs as a user who holds it. */
export const readers = {
  type: 'permission_set',
  key: 'readers',
  label: 'Readers',
  body: { systemPermissions: [] },
}

export const readerClient = {
  type: 'integration_client',
  key: 'reader',
  label: 'Reader',
  body: { authScheme: 'oauth2_client_credentials', runAs: 'rea' },
}

export const everything = [
  invoice,
  vatRate,
  ...rates,
  greeting,
  ...greetings,
  sealed,
  sealedEntry,
  grossFunction,
  flag('2099-12-31'),
  readers,
]
