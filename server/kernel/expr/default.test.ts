// Defaults of fields: what they can read, their type, and cycles.
import { describe, expect, it } from 'vitest'
import type { ExpressionSite } from '../components/expression-slot.ts'
import { MemoryView } from '../components/memory-view.ts'
import { compileExpression } from './compile.ts'
import { defaultCycles, formulaCycles } from './cycles.ts'
import { components, field, objectOf } from './fixture.ts'

const order = objectOf('order', [
  field('placed_on', 'date'),
  field('amount', 'number'),
  field('currency', 'enum', { valueSet: 'currency', default: '"EUR"' }),
  field('customer', 'reference', { references: 'customer' }),
  field('discount', 'number', { precision: 4, scale: 2, default: '1' }),
  field('buyer', 'reference', { references: 'customer', default: 'customer.parent' }),
  field('note', 'text', { default: 'customer.name' }),
])
const view = new MemoryView([...components.filter(({ key }) => key !== 'order'), order])

const problemsOf = (source: string, name: string): string[] => {
  const site: ExpressionSite = { kind: 'field_default', object: 'order', field: name }
  const expects = name === 'discount' || name === 'amount' ? 'number' : name === 'buyer' ? 'any' : 'text'
  const compiled = compileExpression(source, site, view, expects)
  return compiled.ok ? [] : compiled.problems.map(({ message }) => message)
}

describe('a default', () => {
  it.each([
    ['customer.country', 'note'],
    ['customer', 'buyer'],
    ['"EUR"', 'currency'],
    ['amount / 10', 'discount'],
    ['gross(amount, customer.country)', 'discount'],
  ])('can be %s', (source, name) => {
    expect(problemsOf(source, name)).toEqual([])
  })

  it.each([
    ['amount', 'note', /text/],
    ['"XXX"', 'currency', /"XXX" is not a value of currency/],
    ['"c-1"', 'buyer', /must be a record of customer/],
    ['123', 'discount', /discount/],
    ['prior.amount', 'discount', /prior/],
    ['isNew ? 1 : 2', 'discount', /isNew/],
    ['config.discount.rate', 'discount', /remove the default/],
  ])('cannot be %s', (source, name, message) => {
    expect(problemsOf(source, name).join(' ')).toMatch(message)
  })
})

describe('cycles of defaults', () => {
  const cyclesOf = (...fields: object[]): string[][] =>
    defaultCycles(new MemoryView([objectOf('job', fields)])).map(({ chain }) => chain)

  it('are found through defaults and formulas of the same record', () => {
    expect(
      cyclesOf(
        field('first', 'number', { default: 'second + 1' }),
        field('second', 'number', { formula: { expression: 'third * 2', stored: false } }),
        field('third', 'number', { default: 'first' }),
      ),
    ).toEqual([['job.first', 'job.second', 'job.third', 'job.first']])
  })

  it('name the default that causes them', () => {
    const job = objectOf('job', [
      field('sum', 'number', { formula: { expression: 'size', stored: true } }),
      field('size', 'number', { default: 'sum' }),
    ])
    expect(defaultCycles(new MemoryView([job]))).toMatchObject([
      { component: 'object/job', path: '/body/fields/1/default', code: 'expr.cycle' },
    ])
  })

  it('are not found along a reference, because the other record exists', () => {
    const fields = [
      field('parent', 'reference', { references: 'job' }),
      field('level', 'number', { default: 'parent.level + 1' }),
    ]
    expect(cyclesOf(...fields)).toEqual([])
    expect(formulaCycles(new MemoryView([objectOf('job', fields)]))).toEqual([])
  })

  it('are not reported for formulas alone, which have their own finding', () => {
    expect(
      cyclesOf(
        field('a', 'number', { formula: { expression: 'b', stored: true } }),
        field('b', 'number', { formula: { expression: 'a', stored: true } }),
        field('c', 'number', { default: '1' }),
      ),
    ).toEqual([])
  })
})
