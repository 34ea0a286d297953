// The pointer on a sheet: selects cells and rows, and fills from the handle. While it is dragged beyond the edge, the
// sheet scrolls.
import { ref, type ComputedRef, type Ref } from 'vue'
import { fillTargetOf } from './fill.ts'
import { columnAt, headHeight, type layOut } from './geometry.ts'
import * as sel from './selection.ts'
import type { SheetView } from './use-sheet-view.ts'

type Drag = 'select' | 'rows' | 'fill'

export interface SheetPointerDeps {
  view: SheetView
  host: Ref<HTMLElement | null>
  layout: ComputedRef<ReturnType<typeof layOut>>
  rowHeight: Ref<number>
  /** Whether a column stays in place while the sheet scrolls sideways. */
  isFrozen(column: number): boolean
  /** Follows the new position after the sheet was scrolled here. */
  onScroll(): void
  /** Before a press selects anything. */
  onPress(): void
}

/** What counts as a second press at the same position. */
const doubleClick = { pause: 500, distance: 5 }

export function useSheetPointer({
  view,
  host,
  layout,
  rowHeight,
  isFrozen,
  onScroll,
  onPress,
}: SheetPointerDeps) {
  const { rows, bounds, selection } = view
  const filling = ref<sel.Rect | null>(null)
  let drag: Drag | null = null
  let pointer = { x: 0, y: 0 }
  let frame = 0

  /** The cell rendered at a point, or the nearest one. Pixels are rounded as in rendering. */
  function cellAt(at: { x: number; y: number }): sel.Cell {
    const element = document.elementsFromPoint(at.x, at.y).find((each) => each.matches('.cell, .note, .gut'))
    const index = host.value?.contains(element ?? null) ? element!.parentElement?.ariaRowIndex : null
    const nearest = nearestCell(at)
    return index ? { ...nearest, row: Number(index) - 2 } : nearest
  }

  function nearestCell({ x, y }: { x: number; y: number }): sel.Cell {
    const bounding = host.value!.getBoundingClientRect()
    const row = Math.floor((y - bounding.top - headHeight + host.value!.scrollTop) / rowHeight.value)
    const offset = x - bounding.left
    const frozen = isFrozen(0) && offset < layout.value.gutter + (layout.value.width[0] ?? 0)
    const column = frozen ? 0 : columnAt(layout.value, offset + host.value!.scrollLeft)
    return { row: Math.min(Math.max(row, 0), bounds.value.rows - 1), column }
  }

  /** The last press: a second press at the same position acts on its row, even if rows moved in between. */
  let lastPress = { at: Number.NEGATIVE_INFINITY, x: 0, y: 0, row: undefined as number | undefined }

  function pressedCell({ clientX: x, clientY: y, timeStamp: at }: PointerEvent): sel.Cell {
    const cell = cellAt({ x, y })
    const isSecond =
      at - lastPress.at < doubleClick.pause &&
      Math.hypot(x - lastPress.x, y - lastPress.y) < doubleClick.distance
    const index = isSecond && lastPress.row !== undefined ? rows.value.indexOf(lastPress.row) : -1
    if (index >= 0) return { row: index, column: selection.value.active.column }
    lastPress = { at, x, y, row: rows.value[cell.row] }
    return cell
  }

  function handlePress(event: PointerEvent): void {
    if (event.button !== 0 || (event.target as HTMLElement).closest('.sheet-head')) return
    const cell = pressedCell(event)
    const onGutter = (event.target as HTMLElement).closest('.gut') !== null
    const onHandle = (event.target as HTMLElement).closest('.fillhandle') !== null
    event.preventDefault()
    host.value?.focus({ preventScroll: true })
    onPress()
    drag = onHandle ? 'fill' : onGutter ? 'rows' : 'select'
    if (drag === 'fill') filling.value = selection.value.rects.at(-1)!
    else if (drag === 'rows')
      selection.value = sel.wholeRows(selection.value, cell.row, bounds.value, event.shiftKey)
    else view.select(cell, event.shiftKey ? 'extend' : event.ctrlKey || event.metaKey ? 'also' : 'only')
    window.addEventListener('pointermove', handleMove)
    window.addEventListener('pointerup', handleRelease)
  }

  function handleMove(event: PointerEvent): void {
    pointer = { x: event.clientX, y: event.clientY }
    if (frame === 0) frame = requestAnimationFrame(dragTo)
  }

  /** Follows the pointer, and scrolls while it is held outside the edge. */
  function dragTo(): void {
    frame = 0
    const element = host.value
    if (drag === null || element === null) return
    const { top, bottom } = element.getBoundingClientRect()
    const distance =
      pointer.y < top + headHeight ? pointer.y - top - headHeight : Math.max(pointer.y - bottom, 0)
    if (distance !== 0) {
      element.scrollTop += distance / 2
      onScroll()
      frame = requestAnimationFrame(dragTo)
    }
    const cell = cellAt(pointer)
    if (drag === 'fill') filling.value = fillTargetOf(selection.value.rects.at(-1)!, withinData(cell))
    else if (drag === 'rows') selection.value = sel.wholeRows(selection.value, cell.row, bounds.value, true)
    else view.select(cell, 'extend')
  }

  function handleRelease(): void {
    const target = filling.value
    const source = selection.value.rects.at(-1)!
    const wasFilling = drag === 'fill'
    stop()
    if (!wasFilling || target === null) return
    selection.value = sel.extendedTo(sel.only({ row: target.top, column: target.left }), {
      row: target.bottom,
      column: target.right,
    })
    view.fill(target, source, 'fill')
  }

  function stop(): void {
    drag = null
    filling.value = null
    cancelAnimationFrame(frame)
    frame = 0
    window.removeEventListener('pointermove', handleMove)
    window.removeEventListener('pointerup', handleRelease)
  }

  const withinData = (cell: sel.Cell): sel.Cell => ({
    ...cell,
    row: Math.min(cell.row, rows.value.length - 1),
  })

  /** After scrolling, the next press is not a second one at the same position. */
  function forgetPress(): void {
    lastPress.at = Number.NEGATIVE_INFINITY
  }

  return { filling, isDragging: () => drag !== null, cellAt, handlePress, forgetPress, stop }
}
