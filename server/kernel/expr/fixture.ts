// Metadata and inputs for tests of expressions.
import type { Component } from '../components/body-types.ts'
import { MemoryView } from '../components/memory-view.ts'
import type { ExpressionSite, ParamType } from '../components/expression-slot.ts'
import { compileExpression, type CompileResult } from './compile.ts'
import type { EvalInput } from './evaluate.ts'
import { exprValueFromField, valueToJson, type ExprValue } from './values.ts'

const grants = { read: {}, edit: {} }

/** Builds a component with the body that a test needs. */
export function component(type: Component['type'], key: string, body: object): Component {
  return { type, key, label: `Label of ${key}`, body } as unknown as Component
}

export function field(key: string, type: string, more: object = {}): object {
  return { key, type, required: false, unique: false, aliases: [], sensitive: false, ...more }
}

export function configSet(key: string, fields: readonly object[], more: object = {}): Component {
  const body = {
    cardinality: 'singleton',
    scopes: ['org'],
    effectiveDated: false,
    fields,
    ...grants,
    ...more,
  }
  return component('config_set', key, body)
}

export function calcFunction(
  key: string,
  params: [string, ParamType][],
  returns: ParamType,
  expression: string,
): Component {
  return component('calc_function', key, {
    params: params.map(([name, type]) => ({ key: name, type })),
    returns,
    expression,
  })
}

export function objectOf(key: string, fields: readonly object[], more: object = {}): Component {
  const sharing = { default: 'private', rules: [] }
  const capture = { enabled: false, fields: 'all' }
  return component('object', key, {
    storage: 'local',
    fields,
    aliases: [],
    validationRules: [],
    sharing,
    capture,
    ...more,
  })
}

export const byCountry = { cardinality: 'keyed', keyedBy: { key: 'country', type: 'text' } }
const rate = field('rate', 'number', { precision: 6, scale: 4 })

export const components: Component[] = [
  configSet('vat_rate', [rate], {
    ...byCountry,
    effectiveDated: true,
    asOfField: ['invoice.invoice_date', 'order.placed_on'],
  }),
  configSet('fx_rate', [rate], { ...byCountry, effectiveDated: true, asOfField: ['invoice.paid_on'] }),
  configSet('parcel', [rate], { ...byCountry, effectiveDated: true, asOfField: ['order.placed_on'] }),
  configSet('limits', [
    field('credit', 'number'),
    field('since', 'date'),
    field('note', 'text'),
    field('hard', 'boolean'),
  ]),
  configSet('discount', [rate], { scopes: ['user', 'permission_set', 'org'] }),
  configSet('currency', [field('digits', 'number')], {
    cardinality: 'keyed',
    keyedBy: { key: 'currency', type: 'enum', valueSet: 'currency' },
  }),
  component('value_set', 'currency', { values: [{ key: 'EUR', label: 'Euro', active: true }] }),
  component('feature_flag', 'reverse_charge', {
    expiresOn: '2027-01-01',
    scopes: ['org'],
    default: false,
    ...grants,
  }),
  component('feature_flag', 'beta', {
    expiresOn: '2027-01-01',
    scopes: ['user', 'org'],
    default: false,
    ...grants,
  }),
  calcFunction(
    'gross',
    [
      ['net', 'number'],
      ['country', 'text'],
    ],
    'number',
    'round(net * (1 + config.vat_rate(country).rate), 2)',
  ),
  calcFunction('net_price', [['amount', 'number']], 'number', 'amount * (1 - config.discount.rate)'),
  calcFunction('both', [['amount', 'number']], 'number', 'gross(amount, "DE") + net_price(amount)'),
  objectOf('customer', [
    field('country', 'text', { aliases: ['land'] }),
    field('name', 'text'),
    field('parent', 'reference', { references: 'customer' }),
  ]),
  objectOf('invoice', [
    field('amount', 'number'),
    field('quantity', 'number'),
    field('invoice_date', 'date'),
    field('paid_on', 'date'),
    field('sent_at', 'datetime'),
    field('paid', 'boolean'),
    field('note', 'text'),
    field('currency', 'enum', { valueSet: 'currency' }),
    field('customer', 'reference', { references: 'customer' }),
    field('personal', 'number', { formula: { expression: 'amount * config.discount.rate', stored: false } }),
    field('taxed', 'number', { formula: { expression: 'gross(amount, customer.country)', stored: false } }),
    field('lines_total', 'number', { rollup: { child: 'line', via: 'invoice', op: 'sum', of: 'amount' } }),
  ]),
  objectOf('order', [field('placed_on', 'date'), field('amount', 'number')]),
  objectOf('line', [
    field('amount', 'number'),
    field('taxable', 'boolean'),
    field('invoice', 'reference', { references: 'invoice' }),
  ]),
]

export const view = new MemoryView(components)
export const storedSite: ExpressionSite = { kind: 'stored_formula', object: 'invoice', field: 'total' }
export const virtualSite: ExpressionSite = { kind: 'virtual_formula', object: 'invoice', field: 'total' }

const inputs: [string, ParamType][] = [
  ['n', 'number'],
  ['m', 'number'],
  ['t', 'text'],
  ['b', 'boolean'],
  ['d', 'date'],
  ['at', 'datetime'],
]
export const playground: ExpressionSite = {
  kind: 'playground',
  inputs: inputs.map(([key, type]) => ({ key, type })),
}

/** Returns inputs by their stored form; omitted ones are missing. */
export function inputOf(
  values: Readonly<Record<string, string | boolean | null>> = {},
  rows: Readonly<Record<string, Record<string, ExprValue>>> = {},
): EvalInput {
  const types = new Map(inputs)
  return {
    field: (path) => exprValueFromField(types.get(path.join('.')) ?? 'text', values[path.join('.')]),
    configRow: (set, key) => rows[key === undefined ? set : `${set}/${String(valueToJson(key))}`] ?? {},
    flag: (key) => key === 'reverse_charge',
  }
}

/** Evaluates an expression over the playground's inputs and returns its value as JSON. */
export function evaluateSource(
  source: string,
  values: Readonly<Record<string, string | boolean | null>> = {},
): unknown {
  return valueToJson(programOf(compileExpression(source, playground, view)).evaluate(inputOf(values)))
}

export function programOf(compiled: CompileResult) {
  if (compiled.ok) return compiled.program
  throw new Error(compiled.problems.map(({ code, message }) => `${code}: ${message}`).join('\n'))
}
