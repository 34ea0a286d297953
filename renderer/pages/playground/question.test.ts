// A question survives the URL unchanged.
import { describe, expect, it } from 'vitest'
import { toQuestion, emptyQuestion, queryOf, questionFault, questionFrom, scopePathOf } from './question.ts'

describe('the question', () => {
  const question = {
    ...emptyQuestion(),
    set: 'vat_rate',
    key: 'DE',
    asOf: '2020-08-01',
    generation: '3',
    scope: { ...emptyQuestion().scope, app: 'catering', permission_set: 'tax, sales' },
  }

  it('survives the URL', () => expect(questionFrom(queryOf(question))).toEqual(question))

  it('reports a day or a generation that cannot be used', () => {
    expect(questionFault(question)).toBeNull()
    expect(questionFault({ asOf: '', generation: '' })).toBeNull()
    expect(questionFault({ asOf: 'foo', generation: '' })).toMatch(/^"foo" is not a date/)
    expect(questionFault({ asOf: '', generation: 'abc' })).toMatch(/“abc” is not a generation/)
  })

  it('is sent with only the given parts', () => {
    expect(toQuestion(question)).toEqual({
      set: 'vat_rate',
      key: 'DE',
      asOf: '2020-08-01',
      generation: 3,
      scope: { app: 'catering', permission_set: ['tax', 'sales'] },
    })
    expect(toQuestion({ ...emptyQuestion(), set: 'x' })).toEqual({ set: 'x' })
    expect(scopePathOf(emptyQuestion().scope)).toBeUndefined()
  })
})
