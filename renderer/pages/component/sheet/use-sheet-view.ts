// How a person looks at a sheet and what they do to it: rows and columns shown, selection, editing, and every action.
import { computed, ref, shallowRef, watch, type ComputedRef } from 'vue'
import { arranged, type ArrangeParts, type Filter, type Sort } from './arrange.ts'
import { bulkPlan, type Bulk } from './bulk.ts'
import { formatBlock, parseBlock } from './cell-block.ts'
import { copiedCell, editedText, readCell, shownCell, type CellContext } from './cell-text.ts'
import { placeOf, type CellValue, type SheetColumn } from './columns.ts'
import { filled } from './fill.ts'
import { halfTyped, keepHalfTyped } from './half-typed.ts'
import type { OpenSheet } from './open-sheet.ts'
import { begun, pastePlan, pasteWords } from './paste.ts'
import { placeRows } from './place-rows.ts'
import * as sel from './selection.ts'
import { lookKeeper, readLook, type SheetLook } from './sheet-look.ts'
import type { CellWrite, SheetChange, SheetChanged } from './sheet.ts'
import type { RowId } from './sheet-rows.ts'

export type SheetView = ReturnType<typeof useSheetView>

export interface SheetViewParts {
  open: OpenSheet
  all: ComputedRef<readonly SheetColumn[]>
  context: ComputedRef<CellContext>
  /** Whether the person may write. */
  canWrite: ComputedRef<boolean>
  hasFault: (row: RowId) => boolean
  more: (column: SheetColumn, value: CellValue) => string
}

export interface Editing {
  cell: sel.Cell
  text: string
  /** Whether the text replaces the cell's, as when one begins to type, or is edited. */
  typed: boolean
}

/** What was done last, as the foot tells it. */
export interface Said {
  words: string
  /** Offers to take it back. */
  undo: string | null
  wrong: boolean
}

export function useSheetView(parts: SheetViewParts) {
  const { open, all, context, canWrite } = parts
  const { sheet, changes } = open
  const place = `almanac.sheet.${open.type}/${open.set}`
  const kept = readLook(place)
  const keepLook = lookKeeper(place)
  const hidden = ref(kept.hidden)
  const widths = ref(kept.widths)
  const sorts = ref<Sort[]>(kept.sorts)
  const filters = ref<Filter[]>(kept.filters)
  const words = ref(kept.words)
  const rows = shallowRef<RowId[]>([])
  const selection = shallowRef<sel.Selection>(sel.only({ row: 0, column: 0 }))
  const editing = shallowRef<Editing | null>(null)
  const said = shallowRef<Said | null>(null)
  const behind = new Map<RowId, RowId | null>()
  let arrangedOver: unknown = null

  const isHidden = (column: SheetColumn): boolean => hidden.value[column.id] ?? column.hidden === true
  const columns = computed(() => all.value.filter((column) => !isHidden(column)))
  /** One row more than there are, where a new one may be begun. */
  const bounds = computed<sel.Bounds>(() => ({
    rows: rows.value.length + (canWrite.value ? 1 : 0),
    columns: columns.value.length,
  }))
  const activeRow = computed<RowId | undefined>(() => rows.value[selection.value.active.row])
  const activeColumn = computed(() => columns.value[selection.value.active.column])

  const canUndo = computed(() => (void changes.value, sheet.undoing.last !== null))
  const canRedo = computed(() => (void changes.value, sheet.undoing.next !== null))

  // ---- rows ----

  const arrangeParts = (): ArrangeParts => ({
    sheet,
    columns: all.value,
    behind,
    hasFault: parts.hasFault,
    more: parts.more,
  })

  /** Sorts and filters anew; the active row stays the active one where it is still shown. */
  function rearrange(): void {
    const active = activeRow.value
    rows.value = arranged(arrangeParts(), { sorts: sorts.value, filters: filters.value, words: words.value })
    arrangedOver = sheet.base
    const at = active === undefined ? -1 : rows.value.indexOf(active)
    if (at >= 0 && at !== selection.value.active.row)
      selection.value = sel.only({ row: at, column: selection.value.active.column })
    selection.value = sel.within(selection.value, bounds.value)
  }

  /** Follows the sheet: rows that came or went, without moving those that stay. */
  function follow(): void {
    if (open.state.status !== 'ready') return
    if (arrangedOver !== sheet.base) return begin()
    const alive = new Set(sheet.addedRows())
    const shown = new Set(rows.value.filter((row) => row < 0))
    const fresh = [...alive].filter((row) => !shown.has(row) && behind.has(row))
    const unplaced = [...alive].some((row) => !shown.has(row) && !behind.has(row))
    const gone = [...shown].some((row) => !alive.has(row))
    if (unplaced) return rearrange()
    if (fresh.length === 0 && !gone) return
    rows.value = placeRows(
      gone ? rows.value.filter((row) => row >= 0 || alive.has(row)) : rows.value,
      fresh,
      behind,
    )
    selection.value = sel.within(selection.value, bounds.value)
  }

  let begunOnce = false
  function begin(): void {
    // Ids of active rows are another base's now.
    const active = begunOnce ? null : kept.cursor
    const name = begunOnce && activeRow.value !== undefined ? cursorName : (active?.row ?? null)
    behind.clear()
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

  /** The name of the active row, which outlives a new base. */
  let cursorName: string | null = null
  watch([selection, rows], () => {
    const row = activeRow.value
    cursorName = row === undefined ? null : sheet.nameOf(row)
  })
  watch(changes, follow, { immediate: true, flush: 'sync' })
  watch([sorts, filters], rearrange, { deep: true })
  watch([hidden, widths, sorts, filters, words, selection], () => keepLook(look), { deep: true })

  const look = (): SheetLook => ({
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
    return of === undefined || rows.value[cell.row] === undefined ? '' : shownCell(of, valueAt(cell))
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

  /** The first of the selected rows, most of them `limit`: what is looked at is not worth a walk over a hundred thousand. */
  function* firstSelected(limit: number): Iterable<RowId> {
    let left = limit
    for (const { top, bottom } of selection.value.rects)
      for (let row = top; row <= bottom; row += 1) {
        const id = rows.value[row]
        if (id === undefined || left === 0) break
        left -= 1
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

  // ---- actions ----

  function say(words: string, undo: string | null = null, wrong = false): void {
    said.value = { words, undo, wrong }
  }

  function edit(text?: string): void {
    const { active } = selection.value
    const column = columns.value[active.column]
    const row = rows.value[active.row]
    if (!canWrite.value || column === undefined) return
    if (column.fixed)
      return say(`${column.title} cannot be written; it names the entry wherever it is referred to.`)
    if (row !== undefined && !sheet.isOpen(row)) return say(lockedWords(row))
    editing.value = {
      cell: active,
      text: text ?? editedText(column, valueAt(active)),
      typed: text !== undefined,
    }
    if (text !== undefined) typing(text)
  }

  const lockedWords = (row: RowId): string =>
    sheet.editOf(row)?.kind === 'removed'
      ? 'The row is to be removed. Discard its draft to edit it.'
      : 'The draft of this row is no JSON yet. Open the entry and mend its text.'

  /** Called with each letter, so that an open cell outlives the window. */
  function typing(text: string): void {
    const at = editing.value?.cell
    const column = at === undefined ? undefined : columns.value[at.column]
    if (at === undefined || column === undefined) return
    const row = rows.value[at.row]
    keepHalfTyped(place, { row: row === undefined ? null : sheet.nameOf(row), column: column.id, text })
  }

  /** Opens the cell that was being typed into when the window went. */
  function resume(): void {
    const half = halfTyped(place)
    if (half === null) return
    keepHalfTyped(place, null)
    const id = half.row === null ? undefined : sheet.rowNamed(half.row)
    const row = half.row === null ? rows.value.length : id === undefined ? -1 : rows.value.indexOf(id)
    const column = columns.value.findIndex((each) => each.id === half.column)
    if (row < 0 || column < 0)
      return say(`“${half.text}” was being typed into a row that is not in sight now.`)
    selection.value = sel.only({ row, column })
    edit(half.text)
  }

  /** Ends editing with what was typed. `everywhere` writes it into every selected cell. */
  function commit(text: string, everywhere = false): void {
    const now = editing.value
    cancel()
    const column = now === null ? undefined : columns.value[now.cell.column]
    if (now === null || column === undefined) return
    const cells = everywhere ? [...selectedCells()] : []
    if (everywhere && cells.length > 0) {
      const writes = cells.map(({ row, column: of }) => ({
        row,
        place: placeOf(of),
        value: readCell(of, text, context.value).value,
      }))
      const many = sheet.write('fill', writes)
      return say(`${countWords(many, 'cell')} written.`, 'fill')
    }
    const { value, readAs } = readCell(column, text, context.value)
    const row = rows.value[now.cell.row]
    if (row === undefined) {
      if (value == null) return
      change('new row', { added: [begun(columns.value, { [placeOf(column)]: value })] })
    } else if (sheet.write('typing', [{ row, place: placeOf(column), value }]) === 0) return
    if (readAs !== undefined) say(`${text.trim()} read as ${readAs}.`, 'typing')
    else said.value = null
  }

  function clear(): void {
    const writes: CellWrite[] = [...selectedCells()]
      .filter(({ column }) => !column.fixed)
      .map(({ row, column }) => ({
        row,
        place: placeOf(column),
        value: readCell(column, '', context.value).value,
      }))
    const many = sheet.write('clear', writes)
    if (many > 0) say(`${countWords(many, 'cell')} cleared.`, 'clear')
  }

  /** The selected block as text; null where several blocks are selected that are none together. */
  function copied(): string | null {
    if (selection.value.rects.length > 1) {
      say('Copy takes one block. Select the cells without holding Ctrl.')
      return null
    }
    const { top, left, bottom, right } = selection.value.rects[0]!
    const lines: string[][] = []
    for (let row = top; row <= Math.min(bottom, rows.value.length - 1); row += 1) {
      const line: string[] = []
      for (let column = left; column <= right; column += 1)
        line.push(copiedCell(columns.value[column]!, valueAt({ row, column })))
      lines.push(line)
    }
    if (lines.length === 0) return null
    // A copy changes nothing, so what was done before it can still be taken back from here.
    say(`${lines.length.toLocaleString('en-GB')} × ${right - left + 1} copied.`, said.value?.undo ?? null)
    return formatBlock(lines)
  }

  function paste(text: string): void {
    if (!canWrite.value || text === '') return
    const rect = selection.value.rects.at(-1)!
    const plan = pastePlan(
      { sheet, columns: columns.value, rows: rows.value, rect, context: context.value },
      parseBlock(text),
    )
    const { size, added, wrong } = plan
    change('paste', { writes: plan.writes, added })
    const [bottom, right] = [
      rect.top + size.rows - 1,
      Math.min(rect.left + size.columns, columns.value.length) - 1,
    ]
    selection.value = sel.extendedTo(sel.only({ row: rect.top, column: rect.left }), {
      row: bottom,
      column: right,
    })
    say(pasteWords(plan), 'paste', wrong.length > 0)
  }

  function fill(target: sel.Rect, source: sel.Rect, label: string): void {
    const many = sheet.write(label, filled(sheet, columns.value, rows.value, source, target))
    if (many > 0) say(`${countWords(many, 'cell')} filled.`, label)
  }

  /** As Ctrl+D and Ctrl+R: the first row or column of the selection over the others; of one cell, its neighbour's value. */
  function fillFrom(way: 'down' | 'right'): void {
    const rect = selection.value.rects.at(-1)!
    const single = way === 'down' ? rect.top === rect.bottom : rect.left === rect.right
    const from = single ? 1 : 0
    const source =
      way === 'down'
        ? { ...rect, top: rect.top - from, bottom: rect.top - from }
        : { ...rect, left: rect.left - from, right: rect.left - from }
    if (source.top < 0 || source.left < 0) return
    fill(rect, source, `fill ${way}`)
  }

  function bulk(change: Bulk): void {
    const plan = bulkPlan(sheet, selectedCells(), change, context.value)
    const many = sheet.write('bulk edit', plan.writes)
    const notes = [
      `${countWords(many, 'cell')} changed`,
      ...(plan.rounded > 0 ? [`${plan.rounded} rounded half-even to the field’s scale`] : []),
      ...(plan.left > 0 ? [`${countWords(plan.left, 'cell')} left as they are`] : []),
    ]
    say(`${notes.join('; ')}.`, many > 0 ? 'bulk edit' : null)
  }

  /** Does several things as one step; rows that are added stand behind another, or at the end. */
  function change(label: string, what: SheetChange, after: RowId | null = null): SheetChanged {
    // Known before the sheet tells of them, so that they are placed and not sorted in.
    const ids = (what.added ?? []).map((_, at) => sheet.nextId - at)
    for (const [at, id] of ids.entries()) behind.set(id, at === 0 || after === null ? after : ids[at - 1]!)
    return sheet.change(label, what)
  }

  function addRow(): void {
    selection.value = sel.only({ row: rows.value.length, column: 0 })
    edit('')
  }

  function duplicate(): void {
    const ids = selectedIds()
    const last = ids.at(-1)
    if (last === undefined) return
    change('duplicate', { added: ids.map((row) => sheet.cellsOf(row)) }, last)
    const at = rows.value.indexOf(last) + 1
    selection.value = sel.wholeRows(
      sel.extendedTo(sel.only({ row: at, column: selection.value.active.column }), { row: at, column: 0 }),
      at + ids.length - 1,
      bounds.value,
      true,
    )
    say(`${countWords(ids.length, 'row')} duplicated.`, 'duplicate')
  }

  function remove(): void {
    const ids = selectedIds().filter((row) => sheet.editOf(row)?.kind !== 'removed')
    if (ids.length === 0) return
    sheet.remove('remove', ids)
    say(
      `The removal of ${countWords(ids.length, 'row')} is drafted; nothing is gone until it is applied.`,
      'remove',
    )
  }

  function discard(): void {
    const ids = selectedIds().filter((row) => sheet.editOf(row) !== undefined)
    if (ids.length === 0) return say('These rows have no drafts.')
    sheet.discard('discard', ids)
    say(`${countWords(ids.length, 'row')} as active again.`, 'discard')
  }

  function undo(): void {
    const step = sheet.undo()
    say(step === null ? 'There is nothing to undo.' : `Undone: ${step.label}.`)
    if (step !== null) show(step.changes.keys())
  }

  function redo(): void {
    const step = sheet.redo()
    say(step === null ? 'There is nothing to redo.' : `Done again: ${step.label}.`)
    if (step !== null) show(step.changes.keys())
  }

  /** The row becomes the one at hand, where it is shown. */
  function goTo(row: RowId): void {
    const index = rows.value.indexOf(row)
    if (index >= 0) selection.value = sel.only({ row: index, column: selection.value.active.column })
  }

  /** Goes to the first of some rows that is shown, unless the active one is among them. */
  function show(names: Iterable<string>): void {
    const ids = new Set([...names].flatMap((name) => sheet.rowNamed(name) ?? []))
    if (activeRow.value !== undefined && ids.has(activeRow.value)) return
    const at = rows.value.findIndex((row) => ids.has(row))
    if (at >= 0) selection.value = sel.only({ row: at, column: selection.value.active.column })
  }

  /** Sorts by a column; once more the other way, then not at all. `beside` keeps the other sorts. */
  function sortBy(column: string, beside: boolean): void {
    const now = sorts.value.find((sort) => sort.column === column)
    const next: Sort[] =
      now === undefined ? [{ column, down: false }] : now.down ? [] : [{ column, down: true }]
    const others = beside ? sorts.value.filter((sort) => sort.column !== column) : []
    sorts.value = [...others, ...next]
  }

  /** Puts a filter of a column, instead of the one that it has; null takes it away. */
  function filterColumn(column: string, filter: Filter | null): void {
    const others = filters.value.filter((each) => each.column !== column)
    filters.value = filter === null ? others : [...others, filter]
  }

  function showColumn({ id }: SheetColumn, shown: boolean): void {
    hidden.value = { ...hidden.value, [id]: !shown }
  }

  function cancel(): void {
    editing.value = null
    keepHalfTyped(place, null)
  }

  return {
    filterColumn,
    showColumn,
    cancel,
    open,
    all,
    context,
    canWrite,
    hidden,
    widths,
    sorts,
    filters,
    words,
    rows,
    columns,
    bounds,
    selection,
    editing,
    said,
    activeRow,
    activeColumn,
    canUndo,
    canRedo,
    isHidden,
    arrangeParts,
    rearrange,
    valueAt,
    textAt,
    isFilled,
    select,
    selectedIds,
    firstSelected,
    selectedCells,
    say,
    edit,
    typing,
    resume,
    commit,
    clear,
    copied,
    paste,
    fill,
    fillFrom,
    bulk,
    change,
    addRow,
    duplicate,
    remove,
    discard,
    undo,
    redo,
    show,
    goTo,
    sortBy,
  }
}

function countWords(many: number, one: string): string {
  return `${many.toLocaleString('en-GB')} ${many === 1 ? one : `${one}s`}`
}

function clamp(at: number, size: number): number {
  return Math.min(Math.max(at, 0), Math.max(size - 1, 0))
}
