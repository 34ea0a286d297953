// The cursor moves of spreadsheet keys: one cell, to the edge of a block of filled cells, to the ends, one page.
import type { Bounds, Cell } from './selection.ts'

export type Direction = 'up' | 'down' | 'left' | 'right'

const steps: Readonly<Record<Direction, { row: number; column: number }>> = {
  up: { row: -1, column: 0 },
  down: { row: 1, column: 0 },
  left: { row: 0, column: -1 },
  right: { row: 0, column: 1 },
}

/** Moves one cell, within the sheet. */
export function moveCell(cell: Cell, way: Direction, bounds: Bounds, many = 1): Cell {
  const { row, column } = steps[way]
  return clampCell({ row: cell.row + row * many, column: cell.column + column * many }, bounds)
}

/** Like Ctrl with an arrow: to the last filled cell of a block, or else the next filled one, or else the end. */
export function jumpToBlockEdge(
  cell: Cell,
  way: Direction,
  bounds: Bounds,
  isFilled: (cell: Cell) => boolean,
): Cell {
  const next = (from: Cell): Cell => moveCell(from, way, bounds)
  const isEnd = (at: Cell): boolean => isSameCell(next(at), at)
  let at = cell
  if (isEnd(at)) return at
  const alongBlock = isFilled(at) && isFilled(next(at))
  at = next(at)
  while (!isEnd(at) && (alongBlock ? isFilled(next(at)) : !isFilled(at))) at = next(at)
  return at
}

/** The next cell in reading order, for Tab over a selection of several cells or a row of the sheet. */
export function nextInRows(cell: Cell, by: 1 | -1, bounds: Bounds): Cell {
  const place = cell.row * bounds.columns + cell.column + by
  const last = bounds.rows * bounds.columns - 1
  const at = Math.min(Math.max(place, 0), last)
  return { row: Math.floor(at / bounds.columns), column: at % bounds.columns }
}

function clampCell({ row, column }: Cell, { rows, columns }: Bounds): Cell {
  return { row: Math.min(Math.max(row, 0), rows - 1), column: Math.min(Math.max(column, 0), columns - 1) }
}

function isSameCell(a: Cell, b: Cell): boolean {
  return a.row === b.row && a.column === b.column
}
