// Calls of operations by the steps of guided flows.
import { describe, expect, it } from 'vitest'
import { MemoryView } from '../components/memory-view.ts'
import { component } from '../components/rule-fixture.ts'
import { buildGraph, planRename, whereUsed } from '../graph/index.ts'
import { libraryOf } from './library.ts'
import { stepCallFindings } from './step-calls.ts'

const dated = component('config_set/rate', {
  ...{ cardinality: 'singleton', effectiveDated: true, asOfField: 'invoice.due' },
  fields: [{ key: 'share', type: 'number', required: true, precision: 5, scale: 3 }],
})
const invoice = component('object/invoice', {
  fields: [
    { key: 'number', type: 'text' },
    { key: 'net', type: 'number', precision: 9, scale: 2, aliases: ['amount'] },
    { key: 'tax', type: 'number', precision: 9, scale: 2 },
    { key: 'due', type: 'date' },
    { key: 'sent', type: 'datetime' },
    { key: 'total', type: 'number', precision: 9, scale: 2, formula: { expression: 'net + tax' } },
  ],
})
const operation = (key: string, body: object = {}) =>
  component(`automation/${key}`, {
    ...{ phase: 'invocable', params: [{ key: 'net', type: 'number' }], actions: [] },
    ...{ returns: { tax: 'net * 2', note: '"done"' } },
    ...body,
  })
const quote = operation('quote')
const quoteDated = operation('quote_dated', { returns: { tax: 'net * config.rate.share' } })
const onSave = component('automation/on_save', { object: 'invoice', phase: 'after_write', actions: [] })

const appWith = (invoke: object) =>
  component('app/billing', {
    flows: [
      {
        ...{ key: 'add', label: 'Add', object: 'invoice' },
        steps: [{ key: 'one', label: 'One', sections: [], invoke }],
      },
    ],
  })
const viewOf = (invoke: object): MemoryView =>
  new MemoryView([dated, invoice, quote, quoteDated, onSave, appWith(invoke)])
const found = (invoke: object): string[] =>
  stepCallFindings(appWith(invoke), libraryOf(viewOf(invoke))).map(
    ({ path, message }) => `${path.replace('/body/flows/0/steps/0/invoke', '')} ${message}`,
  )
const valid = { operation: 'quote', args: { net: 'amount' }, into: { tax: 'tax' } }

describe('a step that calls an operation', () => {
  it('passes fields of the draft, and fills fields with what is returned', () => {
    expect(found(valid)).toEqual([])
    expect(found({ ...valid, into: { tax: 'tax', note: 'number' } })).toEqual([])
    expect(found({ ...valid, operation: 'quote_dated', asOf: 'due' })).toEqual([])
  })

  it.each<[string, object, string]>([
    ['an automation of a save', { ...valid, operation: 'on_save' }, '/operation on_save runs at after_write'],
    ['a parameter that is not passed', { ...valid, args: {} }, '/args quote also has the parameter net.'],
    [
      'an unknown parameter',
      { ...valid, args: { net: 'net', nett: 'net' } },
      '/args/nett quote has no parameter "nett". Did you mean "net"?',
    ],
    [
      'an unknown returned value',
      { ...valid, into: { taxx: 'tax' } },
      '/into/taxx quote has no returned value',
    ],
    ['a field of a different type', { ...valid, args: { net: 'due' } }, '/args/net due is of type date'],
    ['a target of a different type', { ...valid, into: { note: 'tax' } }, '/into/note tax is of type number'],
    ['a computed target', { ...valid, into: { tax: 'total' } }, '/into/tax total is computed'],
    ['a computed argument', { ...valid, args: { net: 'total' } }, '/args/net total is computed'],
    [
      'a dated operation without a date',
      { ...valid, operation: 'quote_dated' },
      ' quote_dated reads an effective-dated set',
    ],
    ['a date that is a datetime', { ...valid, asOf: 'sent' }, '/asOf sent is not a date'],
  ])('cannot have %s', (_what, invoke, problem) => {
    const problems = found(invoke)
    expect(problems).toHaveLength(1)
    expect(problems[0]!.startsWith(problem), problems[0]).toBe(true)
  })

  it('is a use of the operation and of the fields, and follows a rename of the operation', () => {
    const view = viewOf({ ...valid, asOf: 'due' })
    const uses = (id: 'automation/quote' | 'object/invoice'): string[] =>
      whereUsed(buildGraph(view), id).flatMap(({ path }) => (path.includes('invoke') ? [path] : []))
    const step = '/body/flows/0/steps/0/invoke'
    expect(uses('automation/quote')).toEqual([`${step}/operation`])
    expect(uses('object/invoice')).toEqual([`${step}/args/net`, `${step}/into/tax`, `${step}/asOf`])
    const { components } = planRename(view, [{ type: 'automation', from: 'quote', to: 'offer' }])
    expect(components.find(({ type }) => type === 'app')?.body).toMatchObject({
      flows: [{ steps: [{ invoke: { operation: 'offer', args: { net: 'amount' } } }] }],
    })
  })
})
