// A result that the user opens from a file.
import { describe, expect, it } from 'vitest'
import { parseImportedResult, toResultSource, inputWords } from './shown-result.ts'

const binding = { generation: 3, asOf: '2026-01-01', config: {}, functions: {}, scopePath: {} }
const written = { expression: 'amount', inputs: { amount: { type: 'number', value: '1' } }, value: '"1"' }

describe('a result from a file', () => {
  it('is the output of evaluate, and is sent unchanged', () => {
    const brought = parseImportedResult(JSON.stringify({ ...written, binding, type: 'number' }), 'offer.json')
    expect([brought.id, brought.label]).toEqual([null, 'offer.json'])
    expect(toResultSource(brought)).toEqual({ ...written, binding })
    expect(inputWords(brought.inputs)).toBe('amount 1')
  })

  it('reports why it is not a result', () => {
    expect(() => parseImportedResult('{', 'x.json')).toThrow('This is not valid JSON.')
    expect(() => parseImportedResult(JSON.stringify(binding), 'x.json')).toThrow(
      /needs expression, value and binding/,
    )
    expect(() => parseImportedResult('[]', 'x.json')).toThrow(/x.json is not a result/)
  })
})
