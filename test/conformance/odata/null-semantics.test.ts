import fc from 'fast-check'
import { filter as parseFilter } from 'odata-v4-parser'
import { describe, expect, it } from 'vitest'
import { constants, fixtureObject, fixtureView } from '../../../server/virtual/fixture.ts'
import { compileRowFilter } from '../../../server/virtual/index.ts'
import { filterText } from '../../../server/virtual/odata/filter-text.ts'
import { expectedIds } from './held-rows.ts'
import { selects, type NullSemantics } from './null-semantics.ts'
import { randomFilter, randomRows } from './random-filters.ts'

const view = fixtureView()
const object = fixtureObject(view)

describe.each<NullSemantics>(['standard', 'sql'])('a source with null as in %s', (nulls) => {
  it('selects what our evaluator selects, and a public parser reads every filter', () => {
    let selected = 0
    let left = 0
    fc.assert(
      fc.property(randomRows, randomFilter, (rows, source) => {
        const text = filterText(compileRowFilter(source, object, view).condition(constants), object)
        const found =
          typeof text === 'boolean'
            ? text
              ? rows
              : []
            : rows.filter((row) => selects(parseFilter(text), row, nulls))
        expect(found.map(({ Id }) => Id)).toEqual(
          expectedIds(rows, source, [], object, view).toSorted(
            (a, b) => Number(a.slice(1)) - Number(b.slice(1)),
          ),
        )
        selected += found.length
        left += rows.length - found.length
      }),
      { numRuns: Number(process.env['ALMANAC_RUNS'] ?? 600), seed: 41 },
    )
    expect(Math.min(selected, left)).toBeGreaterThan(100)
  })

  it.each(['not (Amount gt 1)', 'not (Amount eq 1)', 'not (Open eq true)'])(
    'would differ without the guards: %s',
    (text) => {
      const row = { Id: 'a', Amount: null, Open: null }
      const plain = selects(parseFilter(text), row, 'standard')
      expect(selects(parseFilter(text), row, 'sql')).toBe(!plain)
    },
  )
})
