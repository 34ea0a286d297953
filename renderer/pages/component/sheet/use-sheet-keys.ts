// The keys of a sheet of entries and of a grid of records, as in a spreadsheet.
import type { Ref } from 'vue'
import { jumpToBlockEdge, nextInRows, moveCell, type Direction } from './moves.ts'
import * as sel from './selection.ts'

const ways: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}

/** The part of a sheet or a grid that keys act on. */
export interface KeyView {
  rows: Readonly<Ref<readonly unknown[]>>
  bounds: Readonly<Ref<sel.Bounds>>
  selection: Ref<sel.Selection>
  editing: Readonly<Ref<unknown>>
  activeColumn: Readonly<Ref<{ type: string } | undefined>>
  select(cell: sel.Cell, how?: 'only' | 'extend'): void
  /** @param text replaces the cell's text */
  edit(text?: string): void
  commit(text: string): void
  clear(): void
  fillFrom(way: 'down' | 'right'): void
  isFilled(cell: sel.Cell): boolean
  valueAt(cell: sel.Cell): unknown
  duplicate?(): void
  remove?(): void
  undo?(): void
  redo?(): void
}

export interface KeyDeps {
  view: KeyView
  /** Whether Enter edits the cell instead of moving down; by default it moves. */
  enterEdits?: () => boolean
  /** Rows per page. */
  page: () => number
  openEntry: () => void
  openMenu: () => void
  toHead: () => void
}

/** Handles a key press on the sheet; editing has its own keys. */
export function sheetKeys({
  view,
  enterEdits = () => false,
  page,
  openEntry,
  openMenu,
  toHead,
}: KeyDeps): (event: KeyboardEvent) => void {
  /** The column where Tab was first pressed: Enter returns to it one row below, as in a spreadsheet. */
  let tabbedFrom: number | null = null
  let leaving = false

  function go(cell: sel.Cell, extend: boolean): void {
    view.select(cell, extend ? 'extend' : 'only')
  }

  function arrow(way: Direction, event: KeyboardEvent): void {
    const { selection, bounds } = view
    const from = event.shiftKey ? sel.headOf(selection.value) : selection.value.active
    if (way === 'up' && from.row === 0 && !event.shiftKey && !event.ctrlKey) return toHead()
    const rows = Math.max(view.rows.value.length, 1)
    const leap = event.ctrlKey || event.metaKey
    const inside = leap && from.row < rows ? { ...bounds.value, rows } : bounds.value
    go(leap ? jumpToBlockEdge(from, way, inside, view.isFilled) : moveCell(from, way, inside), event.shiftKey)
  }

  function step(way: Direction, event: KeyboardEvent): void {
    const { active } = view.selection.value
    if (!event.shiftKey && way === 'down' && tabbedFrom !== null)
      go(moveCell({ row: active.row, column: tabbedFrom }, 'down', view.bounds.value), false)
    else go(moveCell(active, way, view.bounds.value), false)
    tabbedFrom = null
  }

  function tab(event: KeyboardEvent): void {
    const { active } = view.selection.value
    tabbedFrom ??= active.column
    go(nextInRows(active, event.shiftKey ? -1 : 1, view.bounds.value), false)
  }

  function ends(event: KeyboardEvent): void {
    const { selection, bounds, rows } = view
    const from = event.shiftKey ? sel.headOf(selection.value) : selection.value.active
    const ctrl = event.ctrlKey || event.metaKey
    const last = { row: Math.max(rows.value.length - 1, 0), column: bounds.value.columns - 1 }
    const to =
      event.key === 'Home'
        ? { row: ctrl ? 0 : from.row, column: 0 }
        : { row: ctrl ? last.row : from.row, column: last.column }
    go(to, event.shiftKey)
  }

  function pages(event: KeyboardEvent): void {
    const from = event.shiftKey ? sel.headOf(view.selection.value) : view.selection.value.active
    go(moveCell(from, event.key === 'PageDown' ? 'down' : 'up', view.bounds.value, page()), event.shiftKey)
  }

  /** Handles keys with Ctrl or Cmd. Returns whether it was one of the sheet's. */
  function handleControlKey(event: KeyboardEvent): boolean {
    switch (event.key.toLowerCase()) {
      case 'a':
        view.selection.value = sel.everything(view.selection.value, dataBounds())
        return true
      case 'd':
        if (!event.shiftKey) view.fillFrom('down')
        else if (view.duplicate === undefined) return false
        else view.duplicate()
        return true
      case 'r':
        if (event.shiftKey) return false
        view.fillFrom('right')
        return true
      case 'z':
        if (view.undo === undefined) return false
        if (event.shiftKey) view.redo?.()
        else view.undo()
        return true
      case 'y':
        if (view.redo === undefined) return false
        view.redo()
        return true
      case '-':
        if (view.remove === undefined) return false
        view.remove()
        return true
      case ' ':
        view.selection.value = sel.wholeColumns(
          view.selection.value,
          view.selection.value.active.column,
          dataBounds(),
          false,
        )
        return true
      default:
        return false
    }
  }

  const dataBounds = (): sel.Bounds => ({ ...view.bounds.value, rows: Math.max(view.rows.value.length, 1) })

  return (event) => {
    if (view.editing.value !== null || event.isComposing) return
    const way = ways[event.key]
    if (event.altKey) {
      if (event.key === 'Enter') openEntry()
      else return
    } else if (way !== undefined) arrow(way, event)
    else if (event.key === 'Enter' && !event.shiftKey && enterEdits()) view.edit()
    else if (event.key === 'Enter') step(event.shiftKey ? 'up' : 'down', event)
    else if (event.key === 'Tab') {
      // Escape and then Tab leaves the sheet, so no keyboard user is trapped in it.
      if (leaving) return
      tab(event)
    } else if (event.key === 'Home' || event.key === 'End') ends(event)
    else if (event.key === 'PageDown' || event.key === 'PageUp') pages(event)
    else if (event.key === 'F2') view.edit()
    else if (event.key === 'Delete' || event.key === 'Backspace') view.clear()
    else if (event.key === 'Escape') {
      view.select(view.selection.value.active)
      leaving = true
      return
    } else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) openMenu()
    else if (event.ctrlKey || event.metaKey) {
      if (!handleControlKey(event)) return
    } else if (event.key === ' ' && event.shiftKey)
      view.selection.value = sel.wholeRows(
        view.selection.value,
        view.selection.value.active.row,
        view.bounds.value,
        false,
      )
    else if (event.key === ' ' && view.activeColumn.value?.type === 'boolean') toggle(view)
    else if (event.key === 'Dead' || event.key === 'Process' || event.keyCode === 229) {
      // An input method starts a text: it continues in the editor, which must have the focus by then.
      view.edit('')
      return
    } else if (event.key.length === 1) view.edit(event.key)
    else return
    leaving = false
    if (event.key !== 'Tab' && event.key !== 'Enter') tabbedFrom = null
    event.preventDefault()
    event.stopPropagation()
  }
}

function toggle(view: KeyView): void {
  const { active } = view.selection.value
  view.edit()
  if (view.editing.value !== null) view.commit(view.valueAt(active) === true ? 'no' : 'yes')
}
