// Pastes a block of texts into a sheet: each cell is read by its column; a text that does not fit is kept as typed and
// reported.
import { cellFault } from './cell-fault.ts'
import { dateOrderOf, ambiguousDays, parseCell, type CellContext, type DateOrder } from './cell-text.ts'
import { placeOf, type CellValue, type SheetColumn } from './columns.ts'
import type { Cells } from './row-edit.ts'
import type { Rect } from './selection.ts'
import type { CellWrite, Sheet } from './sheet.ts'
import type { RowId } from './sheet-rows.ts'

export interface PasteTarget {
  sheet: Sheet
  columns: readonly SheetColumn[]
  /** The visible rows, in their order. */
  rows: readonly RowId[]
  /** The selection; the block fills it if the selection is a multiple of its size. */
  rect: Rect
  context: CellContext
}

export interface PastePlan {
  writes: CellWrite[]
  /** Rows of the block after the last row of the sheet. */
  added: Cells[]
  /** How many rows and columns the block covers. */
  size: { rows: number; columns: number }
  cells: number
  /** Texts that do not fit their column, in order. */
  invalidTexts: { text: string; column: string; as?: string }[]
  /** Days that can be read in two ways, kept as typed: day-first and month-first. */
  ambiguousDays: { text: string; days: readonly [string, string] }[]
  /** Texts that were read as a different text. */
  readAs: { text: string; as: string }[]
  /** Cells right of the last column, in a read-only column, or in a row that is removed or unreadable. */
  skippedCells: number
}

/** Plans a paste. `order` decides days that can be read in two ways, unless other days of their column decide. */
export function pastePlan(
  onto: PasteTarget,
  block: readonly (readonly string[])[],
  order: DateOrder | null = null,
): PastePlan {
  const { sheet, columns, rows, rect, context } = onto
  const width = widthOf(block)
  const size = tileBlock(block, rect)
  const plan: PastePlan = {
    writes: [],
    added: [],
    size,
    cells: 0,
    invalidTexts: [],
    ambiguousDays: [],
    readAs: [],
    skippedCells: 0,
  }
  const orders = columns.map((column, at) => {
    const from = (at - rect.left) % width
    return column.type === 'date' && at >= rect.left
      ? (dateOrderOf(block.map((line) => line[from] ?? '')) ?? order)
      : null
  })
  for (let down = 0; down < size.rows; down += 1) {
    const line = block[down % block.length]!
    const row = rows[rect.top + down]
    const fresh: Record<string, CellValue> = {}
    for (let across = 0; across < size.columns; across += 1) {
      const text = line[across % width]
      const column = columns[rect.left + across]
      if (text === undefined) continue
      if (column === undefined || column.fixed || (row !== undefined && !sheet.isOpen(row))) {
        plan.skippedCells += text === '' ? 0 : 1
        continue
      }
      const value = parsePastedCell(plan, column, text, context, orders[rect.left + across] ?? null)
      if (row === undefined) fresh[placeOf(column)] = value
      else plan.writes.push({ row, place: placeOf(column), value })
    }
    // A blank line between others adds no row.
    const blank = Object.values(fresh).every((value) => value == null || value === '')
    if (row === undefined && !blank) plan.added.push(newRowCells(columns, fresh))
  }
  return plan
}

/** The cells of a new row: for everyone and with no end. */
export function newRowCells(columns: readonly SheetColumn[], cells: Cells = {}): Cells {
  const dated = columns.some(({ kind }) => kind === 'from')
  return { 'body/scope': { kind: 'org' }, ...(dated ? { 'body/effectiveTo': null } : {}), ...cells }
}

function parsePastedCell(
  plan: PastePlan,
  column: SheetColumn,
  text: string,
  context: CellContext,
  order: ReturnType<typeof dateOrderOf>,
): CellValue {
  const { value, readAs } = parseCell(column, text, context, order)
  plan.cells += 1
  if (readAs !== undefined) plan.readAs.push({ text: text.trim(), as: readAs })
  const days = column.type === 'date' && value === text.trim() ? ambiguousDays(text) : null
  if (days !== null) plan.ambiguousDays.push({ text: text.trim(), days })
  else if (value != null && cellFault(column, value, context) !== null)
    plan.invalidTexts.push({
      text: text.trim(),
      column: column.title,
      ...(readAs === undefined ? {} : { as: readAs }),
    })
  return value
}

/** The block once, or repeated to fill a selection that is a multiple of its size. */
function tileBlock(
  block: readonly (readonly string[])[],
  { top, left, bottom, right }: Rect,
): { rows: number; columns: number } {
  const size = { rows: block.length, columns: widthOf(block) }
  const selected = { rows: bottom - top + 1, columns: right - left + 1 }
  const fills =
    selected.rows % size.rows === 0 &&
    selected.columns % size.columns === 0 &&
    selected.rows * selected.columns > 1
  return fills ? selected : size
}

function widthOf(block: readonly (readonly string[])[]): number {
  return block.reduce((most, line) => Math.max(most, line.length), 1)
}

/** One sentence on what a paste did. */
export function pasteWords({
  size,
  cells,
  invalidTexts,
  ambiguousDays,
  readAs,
  added,
  skippedCells,
}: PastePlan): string {
  const parts = [`${size.rows.toLocaleString('en-GB')} × ${size.columns} pasted`]
  if (added.length > 0)
    parts.push(`${added.length.toLocaleString('en-GB')} ${added.length === 1 ? 'row' : 'rows'} added`)
  const [doubt] = ambiguousDays
  if (doubt !== undefined)
    parts.push(
      ambiguousDays.length === 1
        ? `“${doubt.text}” can be read in two ways`
        : `“${doubt.text}” and ${ambiguousDays.length - 1} more can be read in two ways`,
    )
  const [first] = invalidTexts
  if (first === undefined && doubt === undefined)
    parts.push(`all ${cells.toLocaleString('en-GB')} cells valid`)
  if (first !== undefined) {
    const others = invalidTexts.length === 1 ? '' : ` and ${invalidTexts.length - 1} more`
    const kept = first.as === undefined ? 'as typed' : `as ${shorten(first.as)}`
    parts.push(`“${shorten(first.text)}” is not valid in ${first.column}${others}: kept ${kept} and marked`)
  }
  const [read] = readAs
  if (read !== undefined) {
    const others = readAs.length === 1 ? '' : ` and ${readAs.length - 1} more`
    parts.push(`${shorten(read.text)} read as ${read.as}${others}`)
  }
  if (skippedCells > 0) parts.push(`${skippedCells} not placed, still on the clipboard`)
  return `${parts.join('; ')}.`
}

function shorten(text: string): string {
  return text.length > 24 ? `${text.slice(0, 23)}…` : text
}
