import { describe, expect, it } from 'vitest'
import { view, virtual } from './fixture.ts'
import { expressionFindings } from './findings.ts'

describe('findings of expressions', () => {
  it('say component, place in the body, and place in the text', () => {
    const slots = [
      { path: '/body/a', source: 'amout + nowhere', site: virtual, expects: 'number' },
      { path: '/body/b', source: 'amount', site: virtual, expects: 'number' },
      { path: '/body/c', source: 'amount', site: virtual, expects: 'boolean' },
    ] as const
    const findings = expressionFindings('object/invoice', slots, view)
    expect(findings.map(({ path, code, facts }) => [path, code, facts])).toEqual([
      ['/body/a', 'expr.unknown_name', { start: 0, end: 5, suggestion: 'amount' }],
      ['/body/a', 'expr.unknown_name', { start: 8, end: 15 }],
      ['/body/c', 'expr.result_type', { start: 0, end: 6 }],
    ])
    expect(
      findings.every(({ component, severity }) => component === 'object/invoice' && severity === 'error'),
    ).toBe(true)
  })
})
