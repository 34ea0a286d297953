// The parts of an expression that editors show values of.
import { describe, expect, it } from 'vitest'
import { MemoryView } from '../components/memory-view.ts'
import { byCountry, configSet, field, objectOf } from './fixture.ts'
import { partsOfExpression } from './parts.ts'

const view = new MemoryView([
  objectOf('buyer', [field('country', 'text')]),
  objectOf('order', [field('net', 'number'), field('buyer', 'reference', { references: 'buyer' })]),
  configSet('duty', [field('rate', 'number', { precision: 6, scale: 4 })], byCountry),
])
const partsOf = (source: string): string[] =>
  partsOfExpression(source, { kind: 'virtual_formula', object: 'order', field: 'x' }, view).map(
    ({ start, end }) => source.slice(start, end),
  )

describe('the parts of an expression', () => {
  it('are its fields, its configuration and its calls', () => {
    expect(partsOf('round(net * config.duty(buyer.country).rate, 2) + 1')).toEqual([
      'round(net * config.duty(buyer.country).rate, 2)',
      'net',
      'config.duty(buyer.country).rate',
      'buyer.country',
    ])
  })

  it('do not need a variable of a macro', () => {
    expect(partsOf('[net].exists(x, x > size("a"))')).toEqual(['net', 'size("a")'])
  })

  it('are empty if the text is not an expression', () => {
    expect(partsOf('net *')).toEqual([])
  })
})
