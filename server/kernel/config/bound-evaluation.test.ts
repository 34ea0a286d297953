import { describe, expect, it } from 'vitest'
import { MemoryView } from '../components/memory-view.ts'
import { component, date } from '../components/rule-fixture.ts'
import { componentDigest } from '../change/component-digest.ts'
import { nobleSha256 } from '../change/sha256.ts'
import type { Component } from '../components/body-types.ts'
import { parseBinding } from './binding.ts'
import { compileCached, evaluateWithBinding, replay, type EvaluationSnapshot } from './bound-evaluation.ts'
import { buildSetSlice, generationSlice } from './slice.ts'

function snapshotOf(generation: number, rate: string): EvaluationSnapshot {
  const set = component('config_set/vat', {
    cardinality: 'keyed',
    keyedBy: { key: 'territory', type: 'text' },
    scopes: ['org', 'environment'],
    effectiveDated: true,
    asOfField: 'invoice.tax_point',
    fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, required: true }],
  })
  const entry = component('config_entry/vat.de', {
    set: 'vat',
    key: 'DE',
    scope: { kind: 'org' },
    effectiveFrom: '2020-01-01',
    values: { rate },
  })
  const double = component('calc_function/twice', {
    params: [{ key: 'x', type: 'number' }],
    returns: 'number',
    expression: 'x * 2',
  })
  const view = new MemoryView([set, entry, double] as Component[])
  const digest = componentDigest(entry as Component, nobleSha256)
  return {
    generation,
    view,
    slice: generationSlice(generation, new Map([['vat', buildSetSlice(set, [entry], digest)]])),
  }
}

const request = {
  expression: 'twice(amount * config.vat(territory).rate)',
  inputs: [
    { key: 'amount', type: 'number', value: '100.50' },
    { key: 'territory', type: 'text', value: 'DE' },
  ],
  asOf: date('2024-05-01'),
  scopePath: { environment: 'prod', app: 'shop', user: 'mara' },
} as const

describe('evaluateBound', () => {
  const snapshot = snapshotOf(3, '0.1900')
  const result = evaluateWithBinding(request, snapshot)

  it('uses a program that is already compiled', () => {
    const compiled = compileCached({ expression: 'amount', inputs: request.inputs }, snapshot.view)
    expect(evaluateWithBinding(request, snapshot, nobleSha256, compiled).value).toBe('"100.5"')
    expect(compileCached({ expression: 'amount', inputs: request.inputs }, snapshot.view)).toBe(compiled)
  })

  it('computes exactly and returns the binding', () => {
    expect(result.value).toBe('"38.19"')
    expect(result.binding).toMatchObject({
      generation: 3,
      asOf: '2024-05-01',
      scopePath: { environment: 'prod' },
    })
    expect(Object.keys(result.binding.config)).toEqual(['vat'])
    expect(Object.keys(result.binding.functions)).toEqual(['twice'])
  })

  it('does not record a scope by which the sets cannot vary', () => {
    expect(result.binding.scopePath).toEqual({ environment: 'prod' })
  })

  it('has no default date', () => {
    expect(() => evaluateWithBinding({ ...request, asOf: null }, snapshot)).toThrow(/add the as-of date/)
  })

  it('replays to the byte at its own generation, and names the set that differs at a later one', () => {
    const stored = {
      ...request,
      value: result.value,
      binding: parseBinding(JSON.parse(JSON.stringify(result.binding))),
    }
    expect(replay(stored, snapshot)).toMatchObject({ identical: true, differences: [], value: result.value })
    const later = replay(stored, snapshotOf(4, '0.2100'))
    expect(later.identical).toBe(false)
    expect(later.differences).toMatchObject([{ kind: 'config', key: 'vat' }])
  })

  it('names every malformed place of a binding', () => {
    expect(() => parseBinding({ ...result.binding, asOf: '2024-02-30', extra: 1 })).toThrow(
      /asOf.*extra|extra.*asOf/s,
    )
  })

  it('reads a field named like an inherited property as absent if the row does not have it', () => {
    const set = component('config_set/odd', {
      cardinality: 'singleton',
      fields: [
        { key: 'constructor', type: 'text' },
        { key: 'name', type: 'text' },
      ],
    })
    const entry = component('config_entry/odd.org', {
      set: 'odd',
      scope: { kind: 'org' },
      values: { name: 'a' },
    })
    const digest = componentDigest(entry as Component, nobleSha256)
    const slice = generationSlice(1, new Map([['odd', buildSetSlice(set, [entry], digest)]]))
    const snapshot: EvaluationSnapshot = {
      generation: 1,
      view: new MemoryView([set, entry] as Component[]),
      slice,
    }
    const result = evaluateWithBinding(
      { expression: 'present(config.odd.constructor)', inputs: [], asOf: null, scopePath: {} },
      snapshot,
    )
    expect(result.value).toBe('false')
  })
})

describe('cached programs', () => {
  const ask = (snapshot: EvaluationSnapshot, type: 'number' | 'text', value: string) =>
    evaluateWithBinding({ ...request, expression: 'x + x', inputs: [{ key: 'x', type, value }] }, snapshot)
      .value

  it('differ by the types of the inputs, not by their values', () => {
    const snapshot = snapshotOf(1, '0.19')
    const answers = [ask(snapshot, 'number', '2'), ask(snapshot, 'text', '2'), ask(snapshot, 'number', '3')]
    expect(answers.map((value) => String(JSON.parse(value)))).toEqual(['4', '22', '6'])
  })

  it('differ by generation, and never outlive their view', () => {
    const [first, second] = [snapshotOf(1, '0.19'), snapshotOf(2, '0.21')]
    const values = [first, second, first].map((snapshot) => evaluateWithBinding(request, snapshot).value)
    expect(values[0]).toBe(values[2])
    expect(values[0]).not.toBe(values[1])
  })
})
