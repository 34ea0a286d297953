// Writes into one cell or all selected cells.
import { shallowRef } from 'vue'
import { editedText, parseCell } from './cell-text.ts'
import { placeOf } from './columns.ts'
import { countWords } from './count-words.ts'
import { loadUnsavedCell, saveUnsavedCell } from '../../../stores/unsaved-cell.ts'
import { newRowCells } from './paste.ts'
import * as sel from './selection.ts'
import type { RowId } from './sheet-rows.ts'
import type { SheetStatus } from './use-sheet-status.ts'
import type { SheetViewport, SheetViewDeps } from './use-sheet-viewport.ts'

export interface CellEdit {
  cell: sel.Cell
  /** The row that is written, even if it moves in the meantime; null for a new one. */
  row: RowId | null
  text: string
  /** Whether the text replaces the cell's text, as on typing, instead of editing it. */
  replacesText: boolean
}

export function useCellEditing(
  { open, context, canWrite }: SheetViewDeps,
  viewer: SheetViewport,
  { status, setStatus }: SheetStatus,
) {
  const { sheet } = open
  const { place, rows, columns, selection, valueAt, selectedCells, change } = viewer
  const editing = shallowRef<CellEdit | null>(null)

  function edit(text?: string): void {
    const { active } = selection.value
    const column = columns.value[active.column]
    const row = rows.value[active.row]
    if (!canWrite.value || column === undefined) return
    if (column.fixed)
      return setStatus(`${column.title} cannot be edited, because other components refer to the entry by it.`)
    if (row !== undefined && !sheet.isOpen(row)) return setStatus(lockedWords(row))
    editing.value = {
      cell: active,
      row: row ?? null,
      text: text ?? editedText(column, valueAt(active)),
      replacesText: text !== undefined,
    }
    if (text !== undefined) typing(text)
  }

  const lockedWords = (row: RowId): string =>
    sheet.editOf(row)?.kind === 'removed'
      ? 'The row is marked for removal. Discard its draft to edit it.'
      : 'The draft of this row is not valid JSON. Open the entry and fix its text.'

  /** Called with each letter, so the text of an open cell survives a closed window. */
  function typing(text: string): void {
    const at = editing.value?.cell
    const column = at === undefined ? undefined : columns.value[at.column]
    if (at === undefined || column === undefined) return
    const row = editing.value?.row
    saveUnsavedCell(place, { row: row == null ? null : sheet.nameOf(row), column: column.id, text })
  }

  /** Opens the cell that was being edited when the window closed. */
  function resume(): void {
    const half = loadUnsavedCell(place)
    if (half === null) return
    saveUnsavedCell(place, null)
    const id = half.row === null ? undefined : sheet.rowNamed(half.row)
    const row = half.row === null ? rows.value.length : id === undefined ? -1 : rows.value.indexOf(id)
    const column = columns.value.findIndex((each) => each.id === half.column)
    if (row < 0 || column < 0)
      return setStatus(`You were typing “${half.text}” into a row that is not currently shown.`)
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
        value: parseCell(of, text, context.value).value,
      }))
      const many = sheet.write('fill', writes)
      return setStatus(`${countWords(many, 'cell')} written.`, 'fill')
    }
    const { value, readAs } = parseCell(column, text, context.value)
    const { row } = now
    if (row === null) {
      if (value == null) return
      change('new row', { added: [newRowCells(columns.value, { [placeOf(column)]: value })] })
    } else if (sheet.activeOf(row) === null && sheet.editOf(row) === undefined)
      return setStatus(
        `The row no longer exists, because its draft was discarded. “${text}” was not written.`,
        null,
        true,
      )
    else if (sheet.write('typing', [{ row, place: placeOf(column), value }]) === 0) return
    if (readAs !== undefined) setStatus(`${text.trim()} read as ${readAs}.`, 'typing')
    else status.value = null
  }

  function cancel(): void {
    editing.value = null
    saveUnsavedCell(place, null)
  }

  return { editing, edit, typing, resume, commit, cancel }
}
