import { describe, expect, it } from 'vitest'
import type { ComponentOf } from '../components/body-types.ts'
import { MemoryView } from '../components/memory-view.ts'
import { components, field, objectOf, view, virtualSite } from './fixture.ts'
import { expressionFindings, rollupFindings } from './findings.ts'
import { libraryOf } from './library.ts'

describe('findings of expressions', () => {
  it('contain the component, the place in the body, and the place in the text', () => {
    const slots = [
      { path: '/body/a', source: 'amout + nowhere', site: virtualSite, expects: 'number' },
      { path: '/body/b', source: 'amount', site: virtualSite, expects: 'number' },
      { path: '/body/c', source: 'amount', site: virtualSite, expects: 'boolean' },
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

  it('refuse a path through a reference that is computed when it is read', () => {
    const payer = (stored: boolean): object => ({
      references: 'customer',
      formula: { expression: 'customer', stored },
    })
    const order = objectOf('order', [
      field('customer', 'reference', { references: 'customer' }),
      field('now', 'reference', payer(false)),
      field('then', 'reference', payer(true)),
    ])
    const site = { kind: 'validation_rule', object: 'order' } as const
    const slots = ['now.name + then.name', 'present(now)'].map((source) => ({
      ...{ path: '/body/a', source, site, expects: 'any' as const },
    }))
    const findings = expressionFindings('object/order', slots, new MemoryView([...components, order]))
    expect(findings.map(({ code, facts }) => [code, facts])).toEqual([['expr.type', { start: 0, end: 3 }]])
    expect(findings[0]!.message).toContain('order.now is a virtual formula')
  })

  it.each([
    ['config.discount.rate * 2', 'config.discount can vary by user, permission_set'],
    ['net_price(1)', 'config.discount can vary'],
    ['shown + 1', 'config.discount can vary'],
    ['flag.beta ? 1 : 2', 'flag.beta can vary by user'],
    ['config.limits.credit', null],
  ])(
    'refuse a roll-up over a virtual formula of %s, unless all viewers see one value',
    (expression, reason) => {
      const formula = (key: string, source: string) =>
        field(key, 'number', { formula: { expression: source, stored: false } })
      const child = objectOf('row', [
        field('top', 'reference', { references: 'top' }),
        formula('share', expression),
        formula('shown', 'config.discount.rate'),
      ])
      const rollup = { child: 'row', via: 'top', op: 'sum', of: 'share' }
      const top = objectOf('top', [field('total', 'number', { rollup })])
      const library = libraryOf(new MemoryView([...components, child, top]))
      const findings = rollupFindings(top as ComponentOf<'object'>, library)
      expect(findings.map(({ code, path }) => `${code} ${path}`)).toEqual(
        reason === null ? [] : ['expr.viewer_dependent /body/fields/0/rollup/of'],
      )
      expect(findings[0]?.message ?? '').toContain(reason ?? '')
    },
  )
})
