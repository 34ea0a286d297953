// The rows of a diff contain both texts completely, and mark only what differs.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines, type DiffRow } from './line-diff.ts'

const side = (rows: DiffRow[], which: 'before' | 'after'): string[] =>
  rows.filter((row) => row[which].number !== null).map((row) => row[which].text)

describe('diffLines', () => {
  it('puts a changed line next to the one that it replaces', () => {
    expect(diffLines('a\nb\nc\n', 'a\nx\nc\n')).toEqual([
      { before: { kind: 'same', number: 1, text: 'a' }, after: { kind: 'same', number: 1, text: 'a' } },
      { before: { kind: 'change', number: 2, text: 'b' }, after: { kind: 'change', number: 2, text: 'x' } },
      { before: { kind: 'same', number: 3, text: 'c' }, after: { kind: 'same', number: 3, text: 'c' } },
    ])
  })

  it('leaves a blank next to a line that only one side has', () => {
    const [row] = diffLines('', 'a')
    expect(row).toEqual({
      before: { kind: 'blank', number: null, text: '' },
      after: { kind: 'change', number: 1, text: 'a' },
    })
  })

  it('returns both texts in order, for any two texts', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '}'), { maxLength: 12 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const rows = diffLines(before.join('\n'), after.join('\n'))
        expect(side(rows, 'before')).toEqual(before)
        expect(side(rows, 'after')).toEqual(after)
        for (const row of rows) if (row.before.kind === 'same') expect(row.after.text).toBe(row.before.text)
      }),
    )
  })

  it('marks nothing if nothing differs', () => {
    expect(diffLines('a\nb', 'a\nb').every((row) => row.before.kind === 'same')).toBe(true)
  })
})
