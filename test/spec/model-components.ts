// The components of a model org, as its author would write them.
import type { Component } from '#kernel/components/body-types.ts'
import { entry, buildComponent, normalised } from '../support/metadata.ts'
import type { ModelEntry, ModelOrg, ModelQuestion, ModelSet } from './reference-model.ts'

export function componentsOf(org: ModelOrg): Component[] {
  return normalised([
    buildComponent('object', 'invoice', {
      fields: [{ key: 'day', type: 'date', required: true, label: 'Day' }],
    }),
    ...['ps_a', 'ps_b', 'ps_c'].map((key) => buildComponent('permission_set', key, {})),
    ...['shop', 'desk'].map((key) => buildComponent('app', key, { label: key })),
    buildComponent('calc_function', 'fee', {
      params: [{ key: 'amount', type: 'number' }],
      returns: 'number',
      expression: `amount * ${org.factor} + config.base.value`,
    }),
    ...org.sets.map(setOf),
    ...org.entries.map(entryOf),
  ])
}

function setOf(set: ModelSet): Component {
  if (set.flag)
    return buildComponent('feature_flag', set.key, {
      owner: 'user:ann',
      expiresOn: '2030-01-01',
      scopes: set.kinds,
      default: set.fallback,
    })
  return buildComponent('config_set', set.key, {
    cardinality: set.keyed ? 'keyed' : 'singleton',
    ...(set.keyed ? { keyedBy: { key: 'country', type: 'text' } } : {}),
    ...(set.dated ? { effectiveDated: true, asOfField: 'invoice.day' } : {}),
    scopes: set.kinds,
    fields: [{ key: 'value', type: 'number', precision: 12, scale: 4, required: true }],
  })
}

const nameOf: Record<ModelEntry['kind'], string> = {
  org: '',
  environment: 'environment',
  app: 'app',
  locale: 'locale',
  permission_set: 'permissionSet',
  user: 'user',
}

function entryOf({ key, set, business, kind, name, priority, from, to, value }: ModelEntry): Component {
  return entry(key, {
    set,
    ...(business === null ? {} : { key: business }),
    scope: kind === 'org' ? { kind } : { kind, [nameOf[kind]]: name },
    ...(priority === null ? {} : { priority }),
    ...(from === null ? {} : { effectiveFrom: from, effectiveTo: to }),
    values: { value: typeof value === 'boolean' ? value : decimalOf(value, 4) },
  } as Parameters<typeof entry>[1])
}

/** The query as an expression over the input `amount`. */
export function expressionOf(question: ModelQuestion): string {
  if (question.form === 'switch') return `flag.${question.flag} ? fee(amount) : amount`
  const row =
    question.business === null ? question.set : `${question.set}(${JSON.stringify(question.business)})`
  return question.form === 'value' ? `config.${row}.value` : `amount * config.${row}.value`
}

export function amountOf(question: ModelQuestion): string {
  return question.form === 'value' ? '0' : decimalOf(question.amount, 2)
}

function decimalOf(units: number, places: number): string {
  const digits = String(units).padStart(places + 1, '0')
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
