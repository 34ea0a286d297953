// The selection of a sheet: rectangles of rows and columns by position, and the one active cell.

export interface Cell {
  row: number
  column: number
}

/** Both ends are included. */
export interface Rect {
  top: number
  left: number
  bottom: number
  right: number
}

export interface Selection {
  /** The cell that is typed into, always in the last rectangle. */
  active: Cell
  /** Where the last rectangle started; its other corner moves. */
  anchor: Cell
  /** At least one; several if the user holds Ctrl. */
  rects: readonly Rect[]
}

export interface Bounds {
  rows: number
  columns: number
}

export function only(cell: Cell): Selection {
  return { active: cell, anchor: cell, rects: [rectOf(cell, cell)] }
}

export function rectOf(a: Cell, b: Cell): Rect {
  return {
    top: Math.min(a.row, b.row),
    left: Math.min(a.column, b.column),
    bottom: Math.max(a.row, b.row),
    right: Math.max(a.column, b.column),
  }
}

/** Extends the last rectangle to `cell`. */
export function extendedTo({ active, anchor, rects }: Selection, cell: Cell): Selection {
  const rect = rectOf(anchor, cell)
  return { active: inRect(rect, active) ? active : anchor, anchor, rects: [...rects.slice(0, -1), rect] }
}

/** Adds a rectangle that starts at `cell`. */
export function alsoAt({ rects }: Selection, cell: Cell): Selection {
  return { active: cell, anchor: cell, rects: [...rects, rectOf(cell, cell)] }
}

/** The corner of the last rectangle that moves. */
export function headOf({ anchor, rects }: Selection): Cell {
  const { top, left, bottom, right } = rects.at(-1)!
  return { row: anchor.row === top ? bottom : top, column: anchor.column === left ? right : left }
}

/** Selects whole rows from the row of the anchor to `row`. */
export function wholeRows(
  selection: Selection,
  row: number,
  { columns }: Bounds,
  extend: boolean,
): Selection {
  const from = extend ? selection.anchor.row : row
  return {
    active: { row: from, column: selection.active.column },
    anchor: { row: from, column: 0 },
    rects: [{ top: Math.min(from, row), bottom: Math.max(from, row), left: 0, right: columns - 1 }],
  }
}

/** Selects whole columns from the column of the anchor to `column`. */
export function wholeColumns(
  selection: Selection,
  column: number,
  { rows }: Bounds,
  extend: boolean,
): Selection {
  const from = extend ? selection.anchor.column : column
  return {
    active: { row: selection.active.row, column: from },
    anchor: { row: 0, column: from },
    rects: [{ top: 0, bottom: rows - 1, left: Math.min(from, column), right: Math.max(from, column) }],
  }
}

export function everything({ active }: Selection, { rows, columns }: Bounds): Selection {
  return {
    active,
    anchor: { row: 0, column: 0 },
    rects: [{ top: 0, left: 0, bottom: rows - 1, right: columns - 1 }],
  }
}

export function inRect({ top, left, bottom, right }: Rect, { row, column }: Cell): boolean {
  return row >= top && row <= bottom && column >= left && column <= right
}

export function isSelected({ rects }: Selection, cell: Cell): boolean {
  return rects.some((rect) => inRect(rect, cell))
}

export function isOneCell({ rects }: Selection): boolean {
  const [first, ...others] = rects
  return others.length === 0 && first!.top === first!.bottom && first!.left === first!.right
}

/** Every row that has a selected cell, ascending, once. */
export function selectedRows({ rects }: Selection): number[] {
  const rows = new Set<number>()
  for (const { top, bottom } of rects) for (let row = top; row <= bottom; row += 1) rows.add(row)
  return [...rows].sort((a, b) => a - b)
}

/** The columns of a row that are selected, ascending, once. */
export function selectedColumns({ rects }: Selection, row: number): number[] {
  const columns = new Set<number>()
  for (const { top, left, bottom, right } of rects)
    if (row >= top && row <= bottom) for (let column = left; column <= right; column += 1) columns.add(column)
  return [...columns].sort((a, b) => a - b)
}

/** How many cells are selected, each counted once. */
export function countCells(selection: Selection): number {
  if (selection.rects.length === 1) {
    const { top, left, bottom, right } = selection.rects[0]!
    return (bottom - top + 1) * (right - left + 1)
  }
  return selectedRows(selection).reduce((sum, row) => sum + selectedColumns(selection, row).length, 0)
}

/** Clips the selection to a sheet that became smaller. */
export function within({ active, anchor, rects }: Selection, bounds: Bounds): Selection {
  const cell = ({ row, column }: Cell): Cell => ({
    row: clamp(row, bounds.rows),
    column: clamp(column, bounds.columns),
  })
  const inside = rects.map(({ top, left, bottom, right }) =>
    rectOf(cell({ row: top, column: left }), cell({ row: bottom, column: right })),
  )
  return { active: cell(active), anchor: cell(anchor), rects: inside }
}

function clamp(at: number, size: number): number {
  return Math.min(Math.max(at, 0), Math.max(size - 1, 0))
}
