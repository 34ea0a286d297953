// A small org as a fixture: rates with history, an invalid draft, flags, an invoice, a stored result.
import type { Studio } from './test.ts'

const envelope = (type: string, key: string, label: string, body: unknown): object => ({
  type,
  key,
  label,
  body,
})
const grants = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }

function rate(
  territory: string,
  from: string,
  to: string | null,
  value: string,
): { type: string; key: string; label: string; body: object } {
  const key = `vat_rate.${territory.toLowerCase()}_${from.replaceAll('-', '_')}`
  const body = {
    set: 'vat_rate',
    key: territory,
    scope: { kind: 'org' },
    effectiveFrom: from,
    effectiveTo: to,
    values: { rate: value },
  }
  return { type: 'config_entry', key, label: `${territory} from ${from}`, body }
}

const components = [
  envelope('object', 'invoice', 'Invoice', {
    fields: [
      { key: 'number', type: 'text', label: 'Number' },
      { key: 'tax_point', type: 'date', label: 'Tax point', required: true },
      { key: 'net', type: 'number', label: 'Net', precision: 12, scale: 2 },
      {
        key: 'vat',
        type: 'number',
        label: 'VAT',
        precision: 12,
        scale: 2,
        formula: { expression: 'net * config.vat_rate("DE").rate', stored: true },
      },
    ],
  }),
  envelope('value_set', 'currency', 'Currency', { values: [{ key: 'EUR', label: 'Euro' }] }),
  envelope('config_set', 'vat_rate', 'VAT rate by territory', {
    ...grants,
    cardinality: 'keyed',
    keyedBy: { key: 'territory', type: 'text' },
    scopes: ['org'],
    effectiveDated: true,
    asOfField: ['invoice.tax_point'],
    fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true, label: 'Rate' }],
  }),
  rate('DE', '1998-04-01', '2007-01-01', '0.16'),
  rate('DE', '2007-01-01', '2020-07-01', '0.19'),
  rate('DE', '2020-07-01', '2021-01-01', '0.16'),
  rate('DE', '2021-01-01', null, '0.19'),
  envelope('feature_flag', 'split_payment', 'Split payment', {
    ...grants,
    owner: { user: 'admin' },
    expiresOn: '9999-12-31',
    rationale: 'Until the bank adapter is certified.',
    default: false,
  }),
]

/** Applies the org and leaves two drafts with a gap of one day between them. Returns the id of a stored result. */
export async function layGround({ call }: Pick<Studio, 'call'>): Promise<string> {
  await call('POST', '/metadata/v3/apply', { components, rationale: 'The rates of Germany' })
  for (const draft of [
    rate('HR', '2012-03-01', '2022-12-31', '0.25'),
    rate('HR', '2023-01-01', null, '0.25'),
  ])
    await call('PUT', `/setup/v3/drafts/config_entry/${draft.key}`, {
      text: JSON.stringify(draft, null, 2),
      version: 0,
    })
  const { resultId } = await call<{ resultId: string }>('POST', '/setup/v3/evaluate', {
    expression: 'amount * config.vat_rate("DE").rate',
    inputs: { amount: { type: 'number', value: '840.00' } },
    asOf: '2025-09-02',
    store: 'Invoice 21077, VAT',
  })
  return resultId
}

/** An entry of a territory that had none, as a draft. */
export async function draftRate({ call }: Pick<Studio, 'call'>, territory: string): Promise<void> {
  const draft = rate(territory, '2020-01-01', null, '0.2')
  await call('PUT', `/setup/v3/drafts/config_entry/${draft.key}`, { text: JSON.stringify(draft), version: 0 })
}

/** A remote that is this org itself, already listed: the drafts differ from it. */
export async function layRemote({ url, call }: Pick<Studio, 'call' | 'url'>): Promise<void> {
  const { clientSecret } = await call<{ clientSecret: string }>('POST', '/setup/v3/clients/local/secrets')
  await call('POST', '/setup/v3/remotes', {
    key: 'itself',
    name: 'This very org',
    url,
    colour: 'blue',
    proof: { kind: 'client', client: 'local', secret: clientSecret },
  })
  await call('POST', '/setup/v3/remotes/itself/compare')
}

/** A change request with comments. */
export async function layRequest({ call }: Pick<Studio, 'call'>): Promise<void> {
  const path = '/metadata/v3/change-requests'
  const { id } = await call<{ id: string }>('POST', path, {
    components: [envelope('value_set', 'colour', 'Colour', { values: [{ key: 'red', label: 'Red' }] })],
    title: 'Colours of the catalogue',
    rationale: 'The shop asks for them.',
    applyOn: '2999-01-01',
  })
  await call('POST', `${path}/${id}/comments`, { text: 'Only red for now.' })
}
