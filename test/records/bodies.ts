// Generations for programs of saves and deploys.
import { billing, type Bodies } from '../../server/kernel/records/fixture.ts'

type Fields = Record<string, unknown>[]
export const fieldsOf = (bodies: Bodies, object: string): Fields =>
  structuredClone((bodies[`object/${object}`] as { fields: Fields }).fields)

/** With virtual formulas that read a dated set, and stored ones that read these, of the same record and along a reference. */
function withShare(next: Bodies): Bodies {
  const number = { type: 'number', precision: 16, scale: 4 }
  const share = {
    key: 'share',
    ...number,
    formula: { expression: 'config.vat("DE").rate * 100', stored: false },
  }
  const twice = { key: 'twice', ...number, formula: { expression: 'share * 2', stored: false } }
  const own = { key: 'own', ...number, formula: { expression: 'twice + coalesce(weight, 0)', stored: true } }
  const cost = { key: 'cost', ...number, formula: { expression: 'weight * invoice.share', stored: true } }
  const paid = {
    ...{ key: 'paid', ...number },
    formula: { expression: 'present(weight) ? invoice.twice : invoice.lines', stored: true },
  }
  return {
    ...next,
    'object/invoice': {
      ...next['object/invoice'],
      fields: [...fieldsOf(next, 'invoice'), share, twice, own],
    },
    'object/line': { ...next['object/line'], fields: [...fieldsOf(next, 'line'), cost, paid] },
  }
}

/** Generations that change rates, formulas, names and fields. */
const plain: readonly Bodies[] = [
  billing(),
  billing('0.2500'),
  (() => {
    const next = billing('0.2500')
    const fields = fieldsOf(next, 'invoice').map((field) =>
      field['key'] === 'net'
        ? { ...field, key: 'amount', aliases: ['net'] }
        : field['formula'] === undefined || !JSON.stringify(field['formula']).includes('net')
          ? field
          : {
              ...field,
              formula: JSON.parse(JSON.stringify(field['formula']).replaceAll('net', 'amount')) as object,
            },
    )
    return { ...next, 'object/invoice': { fields } }
  })(),
  (() => {
    const next = billing('0.0100')
    const heavy = {
      ...{ key: 'heavy', type: 'number', precision: 9, scale: 0 },
      rollup: { child: 'line', via: 'invoice', op: 'count', filter: 'weight > config.vat("DE").rate * 100' },
    }
    const mean = {
      ...{ key: 'mean', type: 'number', precision: 12, scale: 3 },
      rollup: { child: 'line', via: 'invoice', op: 'avg', of: 'weight' },
    }
    return { ...next, 'object/invoice': { fields: [...fieldsOf(next, 'invoice'), heavy, mean] } }
  })(),
  (() => {
    const next = billing('0.3000')
    const fields = fieldsOf(next, 'invoice').filter(({ key }) => key !== 'half')
    const due = { key: 'due', type: 'number', precision: 14, scale: 2 }
    const formula = { expression: 'coalesce(total, 0) + coalesce(weight, 0)', stored: true }
    return { ...next, 'object/invoice': { fields: [...fields, { ...due, formula }] } }
  })(),
  (() => {
    const next = billing('0.0500')
    const region = { key: 'region', type: 'text', default: 'country' }
    const fields = fieldsOf(next, 'invoice').map((field) =>
      field['key'] === 'tax'
        ? { ...field, formula: { expression: 'net * config.vat(customer.region).rate', stored: true } }
        : field['key'] === 'buyer'
          ? { ...field, formula: { expression: 'customer.name', stored: true } }
          : field,
    )
    return {
      ...next,
      'object/customer': { fields: [...fieldsOf(next, 'customer'), region] },
      'object/invoice': { fields },
    }
  })(),
  (() => {
    const next = billing('0.0300')
    const fields = fieldsOf(next, 'invoice').map((field) =>
      ['net', 'tax', 'total', 'weight'].includes(String(field['key']))
        ? { ...field, precision: 20, scale: 4 }
        : field,
    )
    return { ...next, 'object/invoice': { fields } }
  })(),
  {
    ...billing('0.1000'),
    'automation/a_state': {
      ...{ object: 'invoice', phase: 'before_write', when: 'net > 1000' },
      actions: [{ type: 'assign', key: 'pay', values: { state: '"paid"', reminder: 'total / 3' } }],
    },
    'automation/b_net': {
      ...{ object: 'invoice', phase: 'before_write', when: 'isNew && !present(net)' },
      actions: [{ type: 'assign', key: 'net', values: { net: 'coalesce(reminder, 1) + 0.005' } }],
    },
    'automation/c_date': {
      ...{ object: 'invoice', phase: 'before_write', when: 'changed(reminder) && reminder == 10' },
      actions: [
        { type: 'raise', key: 'lost', when: 'customer.country == "AT"', message: 'Not for AT.' },
        { type: 'assign', key: 'date', values: { tax_point: 'addDays(tax_point, 400)' } },
      ],
    },
    'automation/d_weight': {
      ...{ object: 'line', phase: 'after_write', when: 'weight > 9' },
      actions: [
        {
          type: 'update',
          key: 'remind',
          object: 'invoice',
          record: 'invoice',
          values: { reminder: 'weight * 2' },
        },
      ],
    },
    'automation/e_welcome': {
      ...{ object: 'customer', phase: 'after_write', when: 'isNew || prior.country != country' },
      actions: [
        {
          ...{ type: 'create', key: 'invoice', object: 'invoice' },
          values: { number: '"C-" + name + country', tax_point: 'date("2022-01-01")', net: 'size(name)' },
        },
      ],
    },
    'automation/f_again': {
      ...{ object: 'invoice', phase: 'after_write', when: 'lines > 0 && present(customer)' },
      actions: [
        {
          type: 'update',
          key: 'name',
          object: 'customer',
          record: 'customer',
          values: { name: '"Of " + number' },
        },
      ],
    },
    'event_channel/moved': {
      partitionKey: 'number',
      schema: [
        { key: 'number', type: 'text' },
        { key: 'share', type: 'number', precision: 38, scale: 20 },
      ],
    },
    'automation/g_tell': {
      ...{ object: 'invoice', phase: 'after_write', when: 'isNew || changed(net) || changed(weight)' },
      actions: [
        {
          type: 'publish',
          key: 'moved',
          channel: 'moved',
          payload: { number: 'number', share: 'weight / net' },
        },
        { type: 'raise', key: 'lost', when: 'net == 7', message: 'Not seven.' },
        {
          ...{ type: 'enqueue', key: 'send', credential: 'crm', method: 'PUT', path: '/invoices/{number}' },
          ...{ pathParams: { number: 'number' }, query: { at: 'tax_point' }, payload: { total: 'total' } },
        },
      ],
    },
  },
]

export const bodies: readonly Bodies[] = plain.map((each, at) => (at % 2 === 1 ? withShare(each) : each))
