// A result that the user opens from a file.
import { describe, expect, it } from 'vitest'
import { broughtFrom, givenOf, inputWords } from './shown-result.ts'

const binding = { generation: 3, asOf: '2026-01-01', config: {}, functions: {}, scopePath: {} }
const written = { expression: 'amount', inputs: { amount: { type: 'number', value: '1' } }, value: '"1"' }

describe('a result from a file', () => {
  it('is the output of evaluate, and is sent unchanged', () => {
    const brought = broughtFrom(JSON.stringify({ ...written, binding, type: 'number' }), 'offer.json')
    expect([brought.id, brought.label]).toEqual([null, 'offer.json'])
    expect(givenOf(brought)).toEqual({ ...written, binding })
    expect(inputWords(brought.inputs)).toBe('amount 1')
  })

  it('reports why it is not a result', () => {
    expect(() => broughtFrom('{', 'x.json')).toThrow('This is not valid JSON.')
    expect(() => broughtFrom(JSON.stringify(binding), 'x.json')).toThrow(
      /needs expression, value and binding/,
    )
    expect(() => broughtFrom('[]', 'x.json')).toThrow(/x.json is not a result/)
  })
})
