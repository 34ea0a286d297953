// An org of invoices.
const number = { type: 'number', precision: 12, scale: 2 }
const access = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }
/** The entry of the rate, with a different one. */
export const rateEntry = (rate: string): object => ({
  ...{ type: 'config_entry', key: 'vat.de', label: 'DE' },
  body: {
    ...{ set: 'vat', key: 'DE', scope: { kind: 'org' }, effectiveFrom: '2007-01-01' },
    values: { rate },
  },
})

/** Invoices whose tax is computed with a rate from configuration, and a clerk who enters them. */
export const invoiceComponents: readonly object[] = [
  {
    ...{ type: 'config_set', key: 'vat', label: 'VAT' },
    body: {
      ...{ cardinality: 'keyed', keyedBy: { key: 'country', type: 'text' }, effectiveDated: true, ...access },
      asOfField: 'invoice.tax_point',
      fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
    },
  },
  rateEntry('0.1900'),
  {
    ...{ type: 'object', key: 'invoice', label: 'Invoice' },
    body: {
      storage: 'local',
      fields: [
        { key: 'number', type: 'text', required: true },
        { key: 'country', type: 'text' },
        { key: 'tax_point', type: 'date', required: true },
        { key: 'net', ...number },
        { key: 'tax', ...number, formula: { expression: 'net * config.vat(country).rate', stored: true } },
      ],
      validationRules: [
        { key: 'positive', when: 'net < 0', message: 'The net amount is negative.', field: 'net' },
      ],
    },
  },
  {
    ...{ type: 'permission_set', key: 'clerk', label: 'Clerk' },
    body: {
      objects: { invoice: { create: true, read: true, viewAll: true } },
      fields: Object.fromEntries(
        ['number', 'country', 'tax_point', 'net'].map((key) => [
          `invoice.${key}`,
          { read: true, edit: true },
        ]),
      ),
    },
  },
]
