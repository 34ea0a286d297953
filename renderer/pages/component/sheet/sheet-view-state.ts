// A user's view of a sheet, stored in their own window: columns, widths, order, filters and the active cell.
import type { Filter, Sort } from './arrange.ts'

export interface SheetViewState {
  hidden: Record<string, boolean>
  widths: Record<string, number>
  sorts: Sort[]
  filters: Filter[]
  words: string
  cursor: { row: string; column: string } | null
}

const plain: SheetViewState = { hidden: {}, widths: {}, sorts: [], filters: [], words: '', cursor: null }
const pause = 300

export function loadViewState(place: string): SheetViewState {
  try {
    const found = JSON.parse(localStorage.getItem(place) ?? '{}') as Partial<SheetViewState>
    return { ...plain, ...found }
  } catch {
    return plain
  }
}

/** Returns a function that stores the view shortly after its last change, or when the window closes. */
export function createViewStateSaver(place: string): (look: () => SheetViewState) => void {
  let timer = 0
  let waiting: (() => SheetViewState) | null = null
  const keep = (): void => {
    window.clearTimeout(timer)
    if (waiting === null) return
    try {
      localStorage.setItem(place, JSON.stringify(waiting()))
    } catch {
      // If the local store is full, only the view of the sheet is lost, none of its content.
    }
    waiting = null
  }
  window.addEventListener('pagehide', keep)
  return (look) => {
    waiting = look
    window.clearTimeout(timer)
    timer = window.setTimeout(keep, pause)
  }
}
