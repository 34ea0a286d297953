// Required fields and validation rules.
import { describe, expect, it } from 'vitest'
import type { FieldValue } from '../components/field-types.ts'
import { billing, Generations } from './fixture.ts'
import { validateRecord } from './validate-record.ts'
import { viewValues, type RecordView } from './record-view.ts'

const present = new Generations().add(billing())

function recordOf(values: Readonly<Record<string, FieldValue>>): RecordView {
  const ids = present.names.fieldIds('invoice')
  const entries = Object.entries(values).map(([key, value]) => [ids.get(key)!, value] as const)
  return viewValues('invoice', new Map(entries), present, () => undefined)
}

const whole = { number: 'R-1', tax_point: '2022-01-01', net: '10.00', state: 'open' }

const problemsOf = (
  record: Readonly<Record<string, FieldValue>>,
  prior: Readonly<Record<string, FieldValue>> | null = null,
): unknown[] =>
  validateRecord({
    record: recordOf(record),
    prior: prior === null ? null : recordOf(prior),
    present,
    scopePath: {},
  })

describe('a record', () => {
  it('without problems has none', () => {
    expect(problemsOf(whole)).toEqual([])
  })

  it('needs every required field, and its rules are not checked before', () => {
    expect(problemsOf({ number: '', net: '-1.00' })).toEqual([
      { field: 'tax_point', code: 'record.required', message: 'tax_point is required.' },
    ])
  })

  it('is refused by a rule, at its field', () => {
    expect(problemsOf({ ...whole, net: '-1.00' })).toEqual([
      { field: 'net', rule: 'positive', code: 'record.rule', message: 'The net amount is negative.' },
    ])
  })

  it('is compared with the record from before the save', () => {
    const paid = { ...whole, state: 'paid' }
    expect(problemsOf(paid)).toEqual([])
    expect(problemsOf(paid, whole)).toEqual([])
    expect(problemsOf({ ...paid, net: '11.00' }, paid)).toMatchObject([{ field: null, rule: 'final' }])
  })
})
