// An org with a rate that an app can change, and records with stored values that read it.
import { billingComponents, clerk } from './billing-org.ts'

const number = { type: 'number', precision: 12, scale: 2 }
const rate = (value: string, scope: object): object => ({
  ...{ set: 'markup', scope, values: { rate: value } },
})
const bodies: Record<string, object> = {
  'app/desk': { objects: ['offer'] },
  'app/shop': { objects: ['offer'] },
  'config_set/markup': {
    ...{ cardinality: 'singleton', scopes: ['app', 'org'] },
    fields: [{ key: 'rate', ...number, required: true }],
  },
  'config_entry/markup.org': rate('1', { kind: 'org' }),
  'config_entry/markup.desk': rate('2', { kind: 'app', app: 'desk' }),
  'config_entry/markup.shop': rate('5', { kind: 'app', app: 'shop' }),
  'object/offer': {
    fields: [
      { key: 'name', type: 'text' },
      { key: 'price', ...number, formula: { expression: 'config.markup.rate * 10', stored: true } },
      {
        ...{ key: 'large', type: 'number', precision: 9, scale: 0 },
        rollup: { child: 'part', via: 'offer', op: 'count', filter: 'size > config.markup.rate' },
      },
    ],
    nameField: 'name',
  },
  'object/part': {
    fields: [
      { key: 'offer', type: 'reference', references: 'offer' },
      { key: 'size', ...number },
    ],
  },
}

/** With a permission set `clerk` that has all rights on the records. */
export const appScopeComponents = (): object[] => [...billingComponents(bodies), clerk(bodies)]

/** The rate of the app desk. */
export const deskRate = (value: string): object[] =>
  billingComponents({ 'config_entry/markup.desk': rate(value, { kind: 'app', app: 'desk' }) })
