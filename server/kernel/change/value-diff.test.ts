import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from './canonical.ts'
import { diffValues, isSameContent, type ValueChange } from './value-diff.ts'

const itemKeys = { '/fields': 'key', '/sections/*/items': 'id' }

describe('diffValues', () => {
  it.each<[string, object, object, ValueChange[]]>([
    ['nothing', { a: 1 }, { a: 1 }, []],
    ['a different order of properties', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    ['a value', { rate: '0.1' }, { rate: '0.2' }, [{ path: '/body/rate', before: '0.1', after: '0.2' }]],
    ['a value that appears', {}, { rate: null }, [{ path: '/body/rate', after: null }]],
    [
      'a value called like an inherited one',
      { valueOf: false },
      {},
      [{ path: '/body/valueOf', before: false }],
    ],
    ['a value that is removed', { rate: { x: 1 } }, {}, [{ path: '/body/rate', before: { x: 1 } }]],
    [
      'an item by its key, not by its index',
      {
        fields: [
          { key: 'a', scale: 1 },
          { key: 'b', scale: 1 },
        ],
      },
      {
        fields: [
          { key: 'n', scale: 0 },
          { key: 'a', scale: 1 },
          { key: 'b', scale: 2 },
        ],
      },
      [
        { path: '/body/fields/b/scale', before: 1, after: 2 },
        { path: '/body/fields/n', after: { key: 'n', scale: 0 } },
      ],
    ],
    [
      'a new order of items, by their keys',
      { fields: [{ key: 'a' }, { key: 'b' }] },
      { fields: [{ key: 'b' }, { key: 'a' }] },
      [{ path: '/body/fields', before: ['a', 'b'], after: ['b', 'a'], reordered: true }],
    ],
    [
      'a new order together with other changes',
      { fields: [{ key: 'a', scale: 1 }, { key: 'b' }, { key: 'c' }] },
      { fields: [{ key: 'd' }, { key: 'b' }, { key: 'a', scale: 2 }] },
      [
        { path: '/body/fields', before: ['a', 'b'], after: ['b', 'a'], reordered: true },
        { path: '/body/fields/a/scale', before: 1, after: 2 },
        { path: '/body/fields/c', before: { key: 'c' } },
        { path: '/body/fields/d', after: { key: 'd' } },
      ],
    ],
    [
      'no new order if items are only inserted between others',
      { fields: [{ key: 'a' }, { key: 'b' }] },
      { fields: [{ key: 'a' }, { key: 'c' }, { key: 'b' }] },
      [{ path: '/body/fields/c', after: { key: 'c' } }],
    ],
    [
      'items below items',
      { sections: [{ items: [{ id: 'x', w: 1 }] }] },
      { sections: [{ items: [{ id: 'x', w: 2 }] }] },
      [
        {
          path: '/body/sections',
          before: [{ items: [{ id: 'x', w: 1 }] }],
          after: [{ items: [{ id: 'x', w: 2 }] }],
        },
      ],
    ],
    [
      'a list of plain values as a whole',
      { to: [1, 2] },
      { to: [2, 1] },
      [{ path: '/body/to', before: [1, 2], after: [2, 1] }],
    ],
  ])('finds %s', (_, before, after, changes) => {
    const found = diffValues({ body: before }, { body: after }, itemKeys)
    expect([...found].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual(changes)
  })

  const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>
  const bodies = fc.dictionary(fc.string(), json)

  it('of a value with itself is empty, and is empty only for the same content', () => {
    fc.assert(
      fc.property(bodies, bodies, (a, b) => {
        expect(diffValues(a, structuredClone(a), itemKeys)).toEqual([])
        expect(diffValues(a, b, itemKeys).length === 0).toBe(isSameContent(a, b))
      }),
    )
  })

  it('applied to the first returns the second', () => {
    fc.assert(
      fc.property(bodies, bodies, (a, b) => {
        expect(isSameContent(applied(a, diffValues(a, b, {})), b)).toBe(true)
      }),
    )
  })
})

/** A simple implementation of a diff without keyed arrays, for the property only. */
function applied(before: Record<string, JsonValue>, changes: readonly ValueChange[]): unknown {
  const result = structuredClone(before) as Record<string, unknown>
  for (const { path, after } of changes) {
    const steps = path
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    let at = result
    for (const step of steps.slice(0, -1)) at = at[step] as Record<string, unknown>
    const last = steps.at(-1)!
    if (after === undefined) delete at[last]
    else
      Object.defineProperty(at, last, { value: after, enumerable: true, configurable: true, writable: true })
  }
  return result
}
