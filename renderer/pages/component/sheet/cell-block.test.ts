// A block of cells to the clipboard and back, in the format of spreadsheets.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatBlock, parseBlock } from './cell-block.ts'

describe('parseBlock', () => {
  it.each([
    [
      'a\tb\r\nc\td\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a\tb\nc\td',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a', [['a']]],
    ['', [['']]],
    ['\n', [['']]],
    ['\t', [['', '']]],
    ['a\n\nb', [['a'], [''], ['b']]],
    ['"two\nlines"\tb', [['two\nlines', 'b']]],
    ['"say ""so"""\tb', [['say "so"', 'b']]],
    ['"quoted" and more\tb', [['"quoted" and more', 'b']]],
    ['"never closed\tb', [['"never closed', 'b']]],
    ['5" pipe', [['5" pipe']]],
    ['a\rb', [['a'], ['b']]],
  ])('%j', (text, rows) => {
    expect(parseBlock(text)).toEqual(rows)
  })

  it('reads back everything that is written', () => {
    const cell = fc.oneof(fc.string(), fc.constantFrom('', '"', '\t', 'a\nb', '\r\n', '""', 'x"y'))
    const block = fc
      .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
      .chain(([rows, columns]) =>
        fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
          minLength: rows,
          maxLength: rows,
        }),
      )
      // A last row with one empty cell is the same as a final line break.
      .filter((rows) => rows.length === 1 || rows.at(-1)!.length > 1 || rows.at(-1)![0] !== '')
    fc.assert(
      fc.property(block, (rows) => {
        expect(parseBlock(formatBlock(rows))).toEqual(rows)
      }),
    )
  })
})
