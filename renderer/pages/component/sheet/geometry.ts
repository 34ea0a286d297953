// The positions of a sheet's columns and rows in pixels: as wide as their type needs, and together as wide as the
// window.
import type { SheetColumn } from './columns.ts'
import type { Rect } from './selection.ts'

export const headHeight = 26
/** The width of the note of a row, at the right. */
export const noteWidth = 92

const least = 48

interface Wish {
  width: number
  /** Share of the remaining width. */
  grows: number
}

/** Left edge and width of each column, and the total width with gutter and note. */
export interface Layout {
  /** The width of the row numbers. */
  gutter: number
  left: number[]
  width: number[]
  total: number
}

/** @param own widths that the user chose, by column */
export function layOut(
  columns: readonly SheetColumn[],
  room: number,
  own: Readonly<Record<string, number>>,
  rows: number,
): Layout {
  const gutter = rows < 9999 ? 52 : rows < 999_999 ? 72 : 92
  const wishes = columns.map((column) =>
    own[column.id] === undefined ? wishOf(column) : { width: own[column.id]!, grows: 0 },
  )
  const wished = wishes.reduce((sum, { width }) => sum + width, gutter + noteWidth)
  const shares = wishes.reduce((sum, { grows }) => sum + grows, 0)
  const spare = shares === 0 ? 0 : Math.max(room - wished, 0)
  const left: number[] = []
  const width: number[] = []
  let at = gutter
  for (const wish of wishes) {
    const wide = Math.max(Math.floor(wish.width + (shares === 0 ? 0 : (spare * wish.grows) / shares)), least)
    left.push(at)
    width.push(wide)
    at += wide
  }
  return { gutter, left, width, total: Math.max(at + noteWidth, room) }
}

function wishOf({ kind, type }: SheetColumn): Wish {
  switch (kind) {
    case 'key':
      return { width: 112, grows: 1.2 }
    case 'scope':
      return { width: 116, grows: 1 }
    case 'from':
    case 'last':
      return { width: 98, grows: 0.2 }
    case 'priority':
      return { width: 76, grows: 0.1 }
    case 'label':
    case 'entry':
      return { width: 170, grows: 1.4 }
    case 'field':
      return fieldWish(type)
  }
}

function fieldWish(type: SheetColumn['type']): Wish {
  switch (type) {
    case 'number':
      return { width: 88, grows: 0.6 }
    case 'date':
      return { width: 98, grows: 0.2 }
    case 'boolean':
      return { width: 72, grows: 0.2 }
    case 'enum':
    case 'credential_reference':
      return { width: 94, grows: 0.7 }
    case 'text':
    case 'scope':
    case 'rank':
      return { width: 130, grows: 1.4 }
  }
}

/** The position of a rectangle of cells, in pixels below the head. */
export function boxOf(
  { top, left, bottom, right }: Rect,
  layout: Layout,
  rowHeight: number,
): { top: number; left: number; width: number; height: number } {
  const [first, last] = [layout.left[left] ?? layout.gutter, layout.left[right] ?? layout.gutter]
  return {
    top: top * rowHeight,
    left: first,
    width: last + (layout.width[right] ?? 0) - first,
    height: (bottom - top + 1) * rowHeight,
  }
}

/** The column at a position, or the nearest one if the position is outside all columns. */
export function columnAt({ left }: Layout, x: number): number {
  for (let at = left.length - 1; at > 0; at -= 1) if (x >= left[at]!) return at
  return 0
}

/** The visible rows plus a few around them, so they are already rendered at a step of the wheel. */
export function rowsInView(
  scrollTop: number,
  height: number,
  rowHeight: number,
  count: number,
  around = 6,
): { first: number; end: number } {
  const first = Math.max(Math.floor(scrollTop / rowHeight) - around, 0)
  const end = Math.min(Math.ceil((scrollTop + height) / rowHeight) + around, count)
  return { first: Math.min(first, Math.max(end - 1, 0)), end }
}
