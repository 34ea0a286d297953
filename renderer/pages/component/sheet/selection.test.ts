// The algebra of a selection: the cells that it covers, counted once and never outside the sheet.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jumpToBlockEdge, nextInRows, moveCell } from './moves.ts'
import {
  alsoAt,
  countCells,
  everything,
  extendedTo,
  headOf,
  isOneCell,
  isSelected,
  only,
  rectOf,
  selectedColumns,
  selectedRows,
  wholeColumns,
  wholeRows,
  within,
  type Bounds,
  type Cell,
  type Selection,
} from './selection.ts'

const bounds: Bounds = { rows: 12, columns: 7 }
const cell = fc.record({ row: fc.nat(11), column: fc.nat(6) })
const act = fc.oneof(
  fc.record({ kind: fc.constant('only' as const), cell }),
  fc.record({ kind: fc.constant('extend' as const), cell }),
  fc.record({ kind: fc.constant('also' as const), cell }),
  fc.record({ kind: fc.constant('rows' as const), cell, extend: fc.boolean() }),
  fc.record({ kind: fc.constant('columns' as const), cell, extend: fc.boolean() }),
  fc.record({ kind: fc.constant('all' as const), cell }),
)
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

function done(selection: Selection, step: Act): Selection {
  switch (step.kind) {
    case 'only':
      return only(step.cell)
    case 'extend':
      return extendedTo(selection, step.cell)
    case 'also':
      return alsoAt(selection, step.cell)
    case 'rows':
      return wholeRows(selection, step.cell.row, bounds, step.extend)
    case 'columns':
      return wholeColumns(selection, step.cell.column, bounds, step.extend)
    case 'all':
      return everything(selection, bounds)
  }
}
const selections = fc.array(act).map((steps) => steps.reduce(done, only({ row: 0, column: 0 })))
const cells = function* (): Iterable<Cell> {
  for (let row = 0; row < bounds.rows; row += 1)
    for (let column = 0; column < bounds.columns; column += 1) yield { row, column }
}

describe('a selection', () => {
  it('counts each cell once and names it by row and column', () => {
    fc.assert(
      fc.property(selections, (selection) => {
        const selected = [...cells()].filter((each) => isSelected(selection, each))
        expect(countCells(selection)).toBe(selected.length)
        const named = selectedRows(selection).flatMap((row) =>
          selectedColumns(selection, row).map((column) => ({ row, column })),
        )
        expect(named).toEqual(selected)
        expect(isOneCell(selection)).toBe(selection.rects.length === 1 && selected.length === 1)
      }),
    )
  })

  it('always contains its active cell', () => {
    fc.assert(
      fc.property(selections, (selection) => {
        expect(isSelected(selection, selection.active)).toBe(true)
      }),
    )
  })

  it('extends between its anchor and the corner that moves', () => {
    fc.assert(
      fc.property(selections, (selection) => {
        expect(rectOf(selection.anchor, headOf(selection))).toEqual(selection.rects.at(-1))
      }),
    )
  })

  it('shrinks when it is extended back to its start', () => {
    fc.assert(
      fc.property(selections, cell, (selection, to) => {
        const head = headOf(selection)
        expect(extendedTo(extendedTo(selection, to), head).rects).toEqual(selection.rects)
      }),
    )
  })

  it('stays within a sheet that became smaller, and unchanged within the same sheet', () => {
    fc.assert(
      fc.property(selections, fc.nat(11), fc.nat(6), (selection, rows, columns) => {
        const small = within(selection, { rows: rows + 1, columns: columns + 1 })
        for (const each of [small.active, small.anchor]) {
          expect(each.row).toBeLessThanOrEqual(rows)
          expect(each.column).toBeLessThanOrEqual(columns)
        }
        expect(within(selection, bounds)).toEqual(selection)
      }),
    )
  })
})

describe('the keys', () => {
  // Two blocks in one column: rows 1 to 3, and row 6.
  const filled = new Set([1, 2, 3, 6])
  const isFilled = ({ row }: Cell): boolean => filled.has(row)
  const down = (row: number): number => jumpToBlockEdge({ row, column: 0 }, 'down', bounds, isFilled).row
  const up = (row: number): number => jumpToBlockEdge({ row, column: 0 }, 'up', bounds, isFilled).row

  it('jump as in a spreadsheet', () => {
    expect([down(0), down(1), down(2), down(3), down(4), down(6), down(11)]).toEqual([1, 3, 3, 6, 6, 11, 11])
    expect([up(11), up(6), up(5), up(3), up(2), up(1), up(0)]).toEqual([6, 3, 3, 1, 1, 0, 0])
  })

  it('step and wrap within the sheet', () => {
    expect(moveCell({ row: 11, column: 6 }, 'down', bounds)).toEqual({ row: 11, column: 6 })
    expect(moveCell({ row: 3, column: 3 }, 'up', bounds, 10)).toEqual({ row: 0, column: 3 })
    expect(nextInRows({ row: 0, column: 6 }, 1, bounds)).toEqual({ row: 1, column: 0 })
    expect(nextInRows({ row: 0, column: 0 }, -1, bounds)).toEqual({ row: 0, column: 0 })
  })

  it('jump no further than the sheet, within one line', () => {
    const any = fc.array(fc.boolean(), { minLength: 84, maxLength: 84 })
    fc.assert(
      fc.property(cell, fc.constantFrom('up', 'down', 'left', 'right'), any, (from, way, marks) => {
        const to = jumpToBlockEdge(from, way, bounds, ({ row, column }) => marks[row * 7 + column]!)
        expect(to.row).toBeGreaterThanOrEqual(0)
        expect(to.row).toBeLessThan(bounds.rows)
        expect(to.column).toBeGreaterThanOrEqual(0)
        expect(to.column).toBeLessThan(bounds.columns)
        expect(way === 'up' || way === 'down' ? to.column : to.row).toBe(
          way === 'up' || way === 'down' ? from.column : from.row,
        )
      }),
    )
  })
})
