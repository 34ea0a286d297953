// The view state of a sheet: visible rows and columns, their order, the selection.
import { computed, ref, shallowRef, watch, type ComputedRef } from 'vue'
import { arrangeRows, type ArrangeDeps, type Filter, type Sort } from './arrange.ts'
import { formatCell, type CellContext } from './cell-text.ts'
import { placeOf, type CellValue, type SheetColumn } from './columns.ts'
import type { OpenSheet } from './open-sheet.ts'
import { placeRows } from './place-rows.ts'
import { trackSelection } from './followed-selection.ts'
import * as sel from './selection.ts'
import { createViewStateSaver, loadViewState, type SheetViewState } from './sheet-view-state.ts'
import type { RowId } from './sheet-rows.ts'
import type { SheetChange, SheetChangeResult } from './sheet.ts'

export type SheetViewport = ReturnType<typeof useSheetViewport>

export interface SheetViewDeps {
  open: OpenSheet
  all: ComputedRef<readonly SheetColumn[]>
  context: ComputedRef<CellContext>
  /** Whether the user can write. */
  canWrite: ComputedRef<boolean>
  hasFault: (row: RowId) => boolean
  more: (column: SheetColumn, value: CellValue) => string
}

export function useSheetViewport(deps: SheetViewDeps) {
  const { open, all, canWrite } = deps
  const { sheet, changes } = open
  const place = `almanac.sheet.${open.type}/${open.set}`
  const viewState = loadViewState(place)
  const keepLook = createViewStateSaver(place)
  const hidden = ref(viewState.hidden)
  const widths = ref(viewState.widths)
  const sorts = ref<Sort[]>(viewState.sorts)
  const filters = ref<Filter[]>(viewState.filters)
  const words = ref(viewState.words)
  const rows = shallowRef<RowId[]>([])
  const selection = shallowRef<sel.Selection>(sel.only({ row: 0, column: 0 }))
  const insertedAfter = new Map<RowId, RowId | null>()
  const arrangedBase = shallowRef<unknown>(null)

  const isHidden = (column: SheetColumn): boolean => hidden.value[column.id] ?? column.hidden === true
  const columns = computed(() => all.value.filter((column) => !isHidden(column)))
  /** One more than the number of rows if a new row can be added. */
  const bounds = computed<sel.Bounds>(() => ({
    rows: rows.value.length + (canWrite.value ? 1 : 0),
    columns: columns.value.length,
  }))
  const activeRow = computed<RowId | undefined>(() => rows.value[selection.value.active.row])
  const activeColumn = computed(() => columns.value[selection.value.active.column])

  // ---- rows ----

  /** The inputs of a row's text: if labels, columns or rows change, so does the text. */
  const reading = computed(() => (void columns.value, void deps.context.value, { base: arrangedBase.value }))
  watch(reading, () => words.value !== '' && open.state.status === 'ready' && rearrange())

  const arrangeParts = (): ArrangeDeps => ({
    sheet,
    columns: all.value,
    shown: columns.value,
    textCacheKey: reading.value,
    insertedAfter,
    hasFault: deps.hasFault,
    more: deps.more,
  })

  /** Selections that moved with their rows, which are not scrolled into view. */
  const carried = new WeakSet<sel.Selection>()
  const isCarried = (now: sel.Selection): boolean => carried.has(now)
  function carry(before: readonly RowId[]): void {
    selection.value = sel.within(trackSelection(selection.value, before, rows.value), bounds.value)
    carried.add(selection.value)
  }

  /** Sorts and filters again; the active row stays active if it is still shown. */
  function rearrange(): void {
    const before = rows.value
    const isSame = arrangedBase.value === sheet.base
    arrangedBase.value = sheet.base
    rows.value = arrangeRows(arrangeParts(), {
      sorts: sorts.value,
      filters: filters.value,
      words: words.value,
    })
    if (isSame) carry(before)
    else selection.value = sel.within(selection.value, bounds.value)
  }

  /** Follows the sheet: adds and removes rows without moving those that stay. */
  function follow(): void {
    if (open.state.status !== 'ready') return
    if (arrangedBase.value !== sheet.base) return begin()
    const alive = new Set(sheet.addedRows())
    const shown = new Set(rows.value.filter((row) => row < 0))
    const fresh = [...alive].filter((row) => !shown.has(row) && insertedAfter.has(row))
    const unplaced = [...alive].some((row) => !shown.has(row) && !insertedAfter.has(row))
    const gone = [...shown].some((row) => !alive.has(row))
    if (unplaced) return rearrange()
    if (fresh.length === 0 && !gone) return
    const before = rows.value
    rows.value = placeRows(
      gone ? before.filter((row) => row >= 0 || alive.has(row)) : before,
      fresh,
      insertedAfter,
    )
    // A row added in the new row's place stays under the cursor.
    const isNew = selection.value.active.row >= before.length
    if (isNew && fresh.length > 0) selection.value = sel.within(selection.value, bounds.value)
    else carry(before)
  }

  let begunOnce = false
  function begin(): void {
    // The ids of active rows now belong to a new base.
    const active = begunOnce ? null : viewState.cursor
    const name = begunOnce && activeRow.value !== undefined ? cursorName : (active?.row ?? null)
    insertedAfter.clear()
    rows.value = []
    rearrange()
    const row = name === null ? undefined : sheet.rowNamed(name)
    const at = row === undefined ? -1 : rows.value.indexOf(row)
    const column =
      active === null
        ? selection.value.active.column
        : columns.value.findIndex(({ id }) => id === active?.column)
    if (at >= 0) selection.value = sel.only({ row: at, column: Math.max(column, 0) })
    begunOnce = true
  }

  /** The name of the active row, which stays valid with a new base. */
  let cursorName: string | null = null
  watch([selection, rows], () => {
    const row = activeRow.value
    cursorName = row === undefined ? null : sheet.nameOf(row)
  })
  watch(changes, follow, { immediate: true, flush: 'sync' })
  watch([sorts, filters], rearrange, { deep: true })
  watch([hidden, widths, sorts, filters, words, selection], () => keepLook(look), { deep: true })

  const look = (): SheetViewState => ({
    hidden: hidden.value,
    widths: widths.value,
    sorts: sorts.value,
    filters: filters.value,
    words: words.value,
    cursor:
      cursorName === null || activeColumn.value === undefined
        ? null
        : { row: cursorName, column: activeColumn.value.id },
  })

  // ---- cells ----

  const valueAt = ({ row, column }: sel.Cell): CellValue => {
    const [id, of] = [rows.value[row], columns.value[column]]
    return id === undefined || of === undefined ? undefined : sheet.value(id, placeOf(of))
  }
  const textAt = (cell: sel.Cell): string => {
    const of = columns.value[cell.column]
    return of === undefined || rows.value[cell.row] === undefined ? '' : formatCell(of, valueAt(cell))
  }
  const isFilled = (cell: sel.Cell): boolean => textAt(cell) !== ''

  function select(cell: sel.Cell, how: 'only' | 'extend' | 'also' = 'only'): void {
    const inside = {
      row: clamp(cell.row, bounds.value.rows),
      column: clamp(cell.column, bounds.value.columns),
    }
    selection.value =
      how === 'only'
        ? sel.only(inside)
        : how === 'extend'
          ? sel.extendedTo(selection.value, inside)
          : sel.alsoAt(selection.value, inside)
  }

  const selectedIds = (): RowId[] =>
    sel.selectedRows(selection.value).flatMap((row) => {
      const id = rows.value[row]
      return id === undefined ? [] : [id]
    })

  /** The first selected rows, at most `limit`, to avoid a walk over a hundred thousand. */
  function* firstSelected(limit: number): Iterable<RowId> {
    let remaining = limit
    for (const { top, bottom } of selection.value.rects)
      for (let row = top; row <= bottom; row += 1) {
        const id = rows.value[row]
        if (id === undefined || remaining === 0) break
        remaining -= 1
        yield id
      }
  }

  function* selectedCells(): Iterable<{ row: RowId; column: SheetColumn }> {
    for (const at of sel.selectedRows(selection.value)) {
      const row = rows.value[at]
      if (row === undefined) continue
      for (const column of sel.selectedColumns(selection.value, at)) {
        const of = columns.value[column]
        if (of !== undefined) yield { row, column: of }
      }
    }
  }

  /**
   * Makes several changes as one step. Added rows go after one row in sequence, or each after its own; without one they
   * go to the end.
   */
  function change(
    label: string,
    what: SheetChange,
    after: RowId | null | readonly (RowId | null)[] = null,
  ): SheetChangeResult {
    // Recorded before the sheet reports them, so they are placed and not sorted in.
    const ids = (what.added ?? []).map((_, at) => sheet.nextId - at)
    for (const [at, id] of ids.entries()) {
      const inTurn = at === 0 || after === null ? after : ids[at - 1]!
      insertedAfter.set(id, Array.isArray(after) ? (after[at] ?? null) : (inTurn as RowId | null))
    }
    return sheet.change(label, what)
  }

  /** Makes the row the active one if it is shown. */
  function goTo(row: RowId): void {
    const index = rows.value.indexOf(row)
    if (index >= 0) selection.value = sel.only({ row: index, column: selection.value.active.column })
  }

  /** Goes to the first visible row of some, unless the active row is one of them. */
  function show(names: Iterable<string>): void {
    const ids = new Set([...names].flatMap((name) => sheet.rowNamed(name) ?? []))
    if (activeRow.value !== undefined && ids.has(activeRow.value)) return
    const at = rows.value.findIndex((row) => ids.has(row))
    if (at >= 0) selection.value = sel.only({ row: at, column: selection.value.active.column })
  }

  /** Sorts by a column: ascending, then descending, then not at all. `beside` keeps the other sorts. */
  function sortBy(column: string, beside: boolean): void {
    const now = sorts.value.find((sort) => sort.column === column)
    const next: Sort[] =
      now === undefined ? [{ column, down: false }] : now.down ? [] : [{ column, down: true }]
    const others = beside ? sorts.value.filter((sort) => sort.column !== column) : []
    sorts.value = [...others, ...next]
  }

  /** Sets or replaces the filter of a column; null removes it. */
  function filterColumn(column: string, filter: Filter | null): void {
    const others = filters.value.filter((each) => each.column !== column)
    filters.value = filter === null ? others : [...others, filter]
  }

  function showColumn({ id }: SheetColumn, shown: boolean): void {
    hidden.value = { ...hidden.value, [id]: !shown }
  }

  return {
    ...{
      place,
      hidden,
      widths,
      sorts,
      filters,
      words,
      rows,
      columns,
      bounds,
      selection,
      activeRow,
      activeColumn,
    },
    ...{
      isHidden,
      isCarried,
      arrangeParts,
      rearrange,
      valueAt,
      textAt,
      isFilled,
      select,
      selectedIds,
      firstSelected,
    },
    ...{ selectedCells, change, show, goTo, sortBy, filterColumn, showColumn },
  }
}

function clamp(at: number, size: number): number {
  return Math.min(Math.max(at, 0), Math.max(size - 1, 0))
}
