import { describe, expect, it } from 'vitest'
import { formulaCycles, functionCycles } from './cycles.ts'
import { MemoryView } from '../components/memory-view.ts'
import { calcFunction, components, field, objectOf, virtualSite, view } from './fixture.ts'
import { renameInExpression, type ExprRename } from './rename.ts'

const renames: ExprRename[] = [
  { kind: 'set', from: 'vat_rate', to: 'tax' },
  { kind: 'set_field', of: 'vat_rate', from: 'rate', to: 'percent' },
  { kind: 'flag', from: 'beta', to: 'gamma' },
  { kind: 'function', from: 'gross', to: 'with_tax' },
  { kind: 'object_field', of: 'customer', from: 'country', to: 'nation' },
  { kind: 'object_field', of: 'invoice', from: 'amount', to: 'net' },
]

describe('renames', () => {
  it.each<[string, string]>([
    ['config.vat_rate(customer.country).rate', 'config.tax(customer.nation).percent'],
    ['config . vat_rate ( customer . country ) . rate', 'config . tax ( customer . nation ) . percent'],
    [
      '(config.limits).credit + ((config.vat_rate("vat_rate"))).rate',
      '(config.limits).credit + ((config.tax("vat_rate"))).percent',
    ],
    [
      'gross(amount, (customer).country) // gross of vat_rate',
      'with_tax(net, (customer).nation) // gross of vat_rate',
    ],
    ['flag.beta ? amount : 0', 'flag.gamma ? net : 0'],
    ['customer.land + customer.name', 'customer.land + customer.name'],
    ['[1].map(amount, amount + 1)', '[1].map(amount, amount + 1)'],
    ['config.fx_rate("x").rate', 'config.fx_rate("x").rate'],
    ['customer.parent.country', 'customer.parent.nation'],
    ['amount +', 'amount +'],
    ['amount + nothing', 'net + nothing'],
  ])('%s', (before, after) => {
    expect(renameInExpression(before, virtualSite, view, renames)).toBe(after)
  })

  it('can swap two names, and swapping back restores the text', () => {
    const swap: ExprRename[] = [
      { kind: 'set', from: 'vat_rate', to: 'fx_rate' },
      { kind: 'set', from: 'fx_rate', to: 'vat_rate' },
    ]
    const source = 'config.vat_rate("DE").rate * config.fx_rate("USD").rate'
    const swapped = renameInExpression(source, virtualSite, view, swap)
    expect(swapped).toBe('config.fx_rate("DE").rate * config.vat_rate("USD").rate')
    expect(renameInExpression(swapped, virtualSite, view, swap)).toBe(source)
  })
})

describe('cycles', () => {
  it('are found among calc functions', () => {
    const cyclic = new MemoryView([
      ...components,
      calcFunction('a', [], 'number', 'b() + gross(1, "DE")'),
      calcFunction('b', [], 'number', 'c()'),
      calcFunction('c', [], 'number', 'a()'),
      calcFunction('self', [], 'number', 'self()'),
    ])
    expect(functionCycles(cyclic).map(({ chain }) => chain)).toEqual([
      ['a', 'b', 'c', 'a'],
      ['self', 'self'],
    ])
    expect(functionCycles(cyclic)[0]).toMatchObject({
      component: 'calc_function/a',
      path: '/body/expression',
    })
    expect(functionCycles(view)).toEqual([])
  })

  it('are found among formulas, even across a reference', () => {
    const formula = (key: string, expression: string, storedFormula = true): object =>
      field(key, 'number', { formula: { expression, stored: storedFormula } })
    const cyclic = new MemoryView([
      objectOf('parent', [
        formula('total', 'first.share'),
        field('first', 'reference', { references: 'child' }),
      ]),
      objectOf('child', [
        field('parent', 'reference', { references: 'parent' }),
        formula('share', 'parent.total / 2', false),
        formula('fine', 'share'),
      ]),
    ])
    expect(formulaCycles(cyclic)).toMatchObject(
      [
        {
          component: 'object/child',
          path: '/body/fields/1/formula/expression',
          chain: ['child.share', 'parent.total', 'child.share'],
        },
      ].map((cycle) => expect.objectContaining(cycle)),
    )
    expect(formulaCycles(view)).toEqual([])
  })

  it.each<[string, object, object[], string[]]>([
    [
      'through the field that a roll-up reads',
      { op: 'sum', of: 'x' },
      [field('x', 'number', { formula: { expression: 'par.total', stored: true } })],
      ['child.x', 'parent.total', 'child.x'],
    ],
    [
      'through a former name of that field',
      { op: 'sum', of: 'old' },
      [field('x', 'number', { aliases: ['old'], formula: { expression: 'par.total', stored: false } })],
      ['child.x', 'parent.total', 'child.x'],
    ],
    [
      'through its own filter',
      { op: 'count', filter: 'par.total > 1' },
      [],
      ['parent.total', 'parent.total'],
    ],
    [
      'through the reference that links its rows',
      { op: 'count', via: 'main' },
      [
        field('main', 'reference', {
          references: 'parent',
          formula: { expression: 'par.total > 0 ? par : null', stored: true },
        }),
      ],
      ['child.main', 'parent.total', 'child.main'],
    ],
  ])('are found through roll-ups: %s', (_name, rollup, fields, chain) => {
    const par = field('par', 'reference', { references: 'parent' })
    const cyclic = new MemoryView([
      objectOf('parent', [field('total', 'number', { rollup: { child: 'child', via: 'par', ...rollup } })]),
      objectOf('child', [par, ...fields]),
    ])
    const found = formulaCycles(cyclic)
    expect(found.map((cycle) => cycle.chain)).toEqual([chain])
    expect(found[0]?.path).toMatch(/rollup$|formula.expression$/)
  })
})
