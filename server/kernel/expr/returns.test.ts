// Values that a call of an invocable automation returns.
import { describe, expect, it } from 'vitest'
import type { ExpressionSite, Param } from '../components/expression-slot.ts'
import { compileExpression } from './compile.ts'
import { view } from './fixture.ts'

const params: Param[] = [
  { key: 'net', type: 'number' },
  { key: 'due', type: 'date' },
]
const site: ExpressionSite = {
  ...{ kind: 'automation', object: null, phase: 'invocable', params },
  into: { kind: 'return', name: 'result' },
}
const problemsOf = (source: string): string[] =>
  compileExpression(source, site, view).problems.map(({ code, message }) => `${code} ${message}`)

describe('a returned value', () => {
  it.each(['net * 2', '"text"', 'net > 1', 'due', 'coalesce(net, 0)', 'net > 1 ? due : null'])(
    'can be %s',
    (source) => {
      expect(problemsOf(source)).toEqual([])
    },
  )

  it.each([
    ['[net]', /^expr.result_type result is a list of number, but/],
    ['null', /^expr.result_type result is a missing value, but/],
    ['net + due', /^expr\./],
    ['amount', /^expr.unknown_name /],
    ['prior.net', /^expr.unknown_name /],
  ])('cannot be %s', (source, problem) => {
    const problems = problemsOf(source)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(problem)
  })
})
