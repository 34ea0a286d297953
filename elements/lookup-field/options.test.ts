// Which parts of a response are options.
import { describe, expect, it } from 'vitest'
import { normalizeAnswer, secondLine } from './options.ts'
import type { LookupAnswer } from './types.ts'

const of = (answer: unknown) => normalizeAnswer(answer as LookupAnswer)

describe('a response', () => {
  it('omits rows without an id and duplicates, and names a row without a name by its id', () => {
    const rows = [
      { value: '1', label: 'One' },
      { label: 'No id' },
      null,
      { value: '1', label: 'Again' },
      { value: 2 },
    ]
    expect(of(rows).options).toEqual([
      { value: '1', label: 'One' },
      { value: '2', label: '2' },
    ])
  })

  it('can be a page, with a total', () => {
    const options = [{ value: '1', label: 'One' }]
    expect(of({ options, next: 7, total: 12 })).toMatchObject({ next: 7, total: 12 })
    expect(of({ options })).toMatchObject({ next: null, total: null })
  })

  it('can contain an option that creates its record', () => {
    const make = (): null => null
    expect(of([{ value: '', label: 'Create', make }]).options).toEqual([{ value: '', label: 'Create', make }])
  })

  it('has null for missing parts, no link for a URL that is not a text, and no infinite total', () => {
    const nothing = { sublabel: null, href: null, fields: null, group: null, make: null }
    for (const more of [nothing, { href: {} }, { href: Symbol('x') }, { make: 'no' }]) {
      const [option] = of([{ value: '1', label: 'One', ...more }]).options
      expect([option?.href, option?.make, option?.group]).toEqual([undefined, undefined, undefined])
    }
    expect(of([{ value: '', label: 'Create', make: null }]).options).toEqual([])
    for (const total of [Infinity, NaN, 1.5]) expect(of({ options: [], total }).total).toBe(null)
  })

  it.each([[undefined], [null], ['rows'], [{ rows: [] }], [7]])('is refused if it is %j', (answer) => {
    expect(() => of(answer)).toThrow(/no list of options/)
  })
})

describe('secondLine', () => {
  const fields = { country: 'Estonia', vat: 'EE1', since: 1998, gone: null, odd: { a: 1 } }
  it.each([
    [{}, ['vat', 'country'], 'EE1, Estonia'],
    [{}, ['since', 'gone', 'odd', 'unknown'], '1998'],
    [{ sublabel: 'its own' }, ['vat'], 'its own'],
    [{ sublabel: '' }, ['vat'], ''],
  ])('of %j with %j is %j', (more, display, line) => {
    expect(secondLine({ value: '1', label: 'One', fields, ...more }, display)).toBe(line)
  })
})
