import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import type { Component } from '../components/body-types.ts'
import { ledgerTypes } from '../components/external-service/fixture.ts'
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

  const complaintsOf = (source: string): unknown[] => {
    const options = { strict: true, noEmit: true, noLib: true }
    const host = ts.createCompilerHost(options)
    const read = host.getSourceFile.bind(host)
    host.getSourceFile = (name, version) =>
      name === 'config.ts' ? ts.createSourceFile(name, source, version) : read(name, version)
    const program = ts.createProgram(['config.ts'], options, host)
    const file = program.getSourceFile('config.ts')
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => messageText,
    )
  }

  it('are TypeScript', () => {
    expect(complaintsOf(text)).toEqual([])
  })

  it('are TypeScript with any names of sets, fields and keys', () => {
    const words = [
      'class',
      'config',
      'flags',
      'date_text',
      'decimal_text',
      'string',
      'number',
      'await',
      'this',
      'a_',
      'a',
    ]
    const sets = words.map((word) =>
      component(`config_set/${word}`, {
        cardinality: 'keyed',
        keyedBy: { key: word, type: 'text' },
        fields: words.map((key) => ({ key, type: 'date' })),
      }),
    )
    const made = typeDeclarations(new MemoryView(sets as Component[]), 4)
    expect(complaintsOf(made)).toEqual([])
    const names = [...made.matchAll(/^export (?:interface|type) ([\w$]+)/gm)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

it('declares the operations of external services whose descriptions are imported', () => {
  const hash = `oas1:sha256:${'0'.repeat(64)}`
  const services = ['ledger', 'later'].map((key) => ({
    ...{ type: 'external_service', key, label: key },
    body: { namedCredential: 'none', spec: key === 'ledger' ? { hash } : {} },
  })) as unknown as Component[]
  const declared = typeDeclarations(new MemoryView(services, new Map([[hash, ledgerTypes]])), 1)
  expect(declared).toContain('export namespace LedgerService {')
  expect(declared).toContain('export type DateTimeText')
  expect(declared).not.toContain('LaterService')
})
