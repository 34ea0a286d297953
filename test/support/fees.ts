// A set of fees by name, each with the same number: the smallest org in which something can be changed and can fail.

/** `scale`: decimal places of a fee. */
export const feeSet = (scale = 2): object => ({
  type: 'config_set',
  key: 'fee',
  label: 'Fee',
  body: {
    cardinality: 'keyed',
    keyedBy: { key: 'name', type: 'text' },
    scopes: ['org'],
    edit: { administrator: 'edit' },
    fields: [{ key: 'amount', type: 'number', precision: 12, scale, required: true }],
  },
})

export const fee = (slug: string, amount: string, { key = slug, label = slug } = {}): object => ({
  type: 'config_entry',
  key: `fee.${slug}`,
  label,
  body: { set: 'fee', key, scope: { kind: 'org' }, values: { amount } },
})
