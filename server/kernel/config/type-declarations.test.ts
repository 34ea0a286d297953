import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import type { Component } from '../components/body-types.ts'
import { MemoryView } from '../components/memory-view.ts'
import { component } from '../components/rule-fixture.ts'
import { typeDeclarations } from './type-declarations.ts'

const view = new MemoryView([
  component('value_set/currency', {
    values: [
      { key: 'EUR', label: 'Euro' },
      { key: 'HRK', label: 'Kuna */' },
    ],
  }),
  component('config_set/vat_rate', {
    cardinality: 'keyed',
    keyedBy: { key: 'territory', type: 'text' },
    fields: [
      { key: 'rate', type: 'number', precision: 6, scale: 4, required: true, label: 'Rate */ of tax' },
      { key: 'currency', type: 'enum', valueSet: 'currency' },
    ],
  }),
  component('config_set/terms', {
    cardinality: 'singleton',
    fields: [{ key: 'from', type: 'date', required: true }],
  }),
  component('feature_flag/split_payment', { owner: 'user:mara', expiresOn: '2027-01-01', default: true }),
] as Component[])

describe('typeDeclarations', () => {
  const text = typeDeclarations(view, 4)

  it('name every set, key, field and flag', () => {
    expect(text).toContain('vat_rate(territory: string): VatRate')
    expect(text).toContain('readonly rate: DecimalText')
    expect(text).toContain('readonly currency: "EUR" | "HRK" | null')
    expect(text).toContain('readonly terms: Terms')
    expect(text).toContain('readonly split_payment: boolean')
  })

  it('are TypeScript', () => {
    const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true })
    expect(diagnostics?.map(({ messageText }) => messageText)).toEqual([])
  })
})
