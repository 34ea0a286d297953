// The actions on the selected cells and rows of a sheet, each as one step.
import { computed } from 'vue'
import { bulkPlan, type Bulk } from './bulk.ts'
import { formatBlock, parseBlock } from './cell-block.ts'
import { formatCellForClipboard, parseCell, type DateOrder } from './cell-text.ts'
import { longDate } from '../../../text/words.ts'
import { placeOf } from './columns.ts'
import { countWords } from './count-words.ts'
import { planFill } from './fill.ts'
import { pastePlan, pasteWords } from './paste.ts'
import * as sel from './selection.ts'
import type { CellWrite } from './sheet.ts'
import type { SheetStatus } from './use-sheet-status.ts'
import type { SheetViewport, SheetViewDeps } from './use-sheet-viewport.ts'

export function useSheetActions(
  { open, context, canWrite }: SheetViewDeps,
  viewer: SheetViewport,
  { status, setStatus }: SheetStatus,
  edit: (text: string) => void,
) {
  const { sheet, changes } = open
  const { rows, columns, bounds, selection, valueAt, selectedIds, selectedCells, change, show } = viewer

  const canUndo = computed(() => (void changes.value, sheet.undoStack.last !== null))
  const canRedo = computed(() => (void changes.value, sheet.undoStack.next !== null))

  function clear(): void {
    const writes: CellWrite[] = [...selectedCells()]
      .filter(({ column }) => !column.fixed)
      .map(({ row, column }) => ({
        row,
        place: placeOf(column),
        value: parseCell(column, '', context.value).value,
      }))
    const many = sheet.write('clear', writes)
    if (many > 0) setStatus(`${countWords(many, 'cell')} cleared.`, 'clear')
  }

  /** Returns the selected block as text; null if several blocks are selected. */
  function selectionText(): string | null {
    if (selection.value.rects.length > 1) {
      setStatus('Only one block can be copied. Select the cells without holding Ctrl.')
      return null
    }
    const { top, left, bottom, right } = selection.value.rects[0]!
    const lines: string[][] = []
    for (let row = top; row <= Math.min(bottom, rows.value.length - 1); row += 1) {
      const line: string[] = []
      for (let column = left; column <= right; column += 1)
        line.push(formatCellForClipboard(columns.value[column]!, valueAt({ row, column })))
      lines.push(line)
    }
    if (lines.length === 0) return null
    // A copy changes nothing, so the message still offers to undo the step before it.
    setStatus(
      `${lines.length.toLocaleString('en-GB')} × ${right - left + 1} copied.`,
      status.value?.undo ?? null,
    )
    return formatBlock(lines)
  }

  function paste(text: string, rect = selection.value.rects.at(-1)!, order: DateOrder | null = null): void {
    if (!canWrite.value || text === '') return
    const plan = pastePlan(
      { sheet, columns: columns.value, rows: rows.value, rect, context: context.value },
      parseBlock(text),
      order,
    )
    const { size, added, invalidTexts } = plan
    change('paste', { writes: plan.writes, added })
    const [bottom, right] = [
      rect.top + size.rows - 1,
      Math.min(rect.left + size.columns, columns.value.length) - 1,
    ]
    selection.value = sel.extendedTo(sel.only({ row: rect.top, column: rect.left }), {
      row: bottom,
      column: right,
    })
    const [doubt] = plan.ambiguousDays
    const again = (as: DateOrder) => () => {
      if (sheet.undoStack.last?.label !== 'paste') return
      sheet.undo()
      paste(text, rect, as)
    }
    const choices =
      doubt === undefined
        ? []
        : [
            { label: `Day first: ${longDate(doubt.days[0])}`, choose: again('DD/MM/YYYY') },
            { label: `Month first: ${longDate(doubt.days[1])}`, choose: again('MM/DD/YYYY') },
          ]
    setStatus(pasteWords(plan), 'paste', invalidTexts.length + plan.ambiguousDays.length > 0, choices)
  }

  function fill(target: sel.Rect, source: sel.Rect, label: string): void {
    const many = sheet.write(label, planFill(sheet, columns.value, rows.value, source, target))
    if (many > 0) setStatus(`${countWords(many, 'cell')} filled.`, label)
  }

  /**
   * Fills like Ctrl+D and Ctrl+R: the first row or column of the selection into the others; for one cell, its
   * neighbour's value.
   */
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
      ...(plan.rounded > 0 ? [`${plan.rounded} rounded to the decimals of the field`] : []),
      ...(plan.skippedCells > 0 ? [`${countWords(plan.skippedCells, 'cell')} left unchanged`] : []),
    ]
    setStatus(`${notes.join('; ')}.`, many > 0 ? 'bulk edit' : null)
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
    setStatus(`${countWords(ids.length, 'row')} duplicated.`, 'duplicate')
  }

  function remove(): void {
    const ids = selectedIds().filter((row) => sheet.editOf(row)?.kind !== 'removed')
    if (ids.length === 0) return
    sheet.remove('remove', ids)
    setStatus(
      `${countWords(ids.length, 'row')} marked for removal; nothing is removed until you apply the draft${ids.length === 1 ? '' : 's'}.`,
      'remove',
    )
  }

  function discard(): void {
    const ids = selectedIds().filter((row) => sheet.editOf(row) !== undefined)
    if (ids.length === 0) return setStatus('These rows have no drafts.')
    sheet.discard('discard', ids)
    setStatus(`${countWords(ids.length, 'row')} restored to the active version.`, 'discard')
  }

  function undo(): void {
    const step = sheet.undo()
    setStatus(step === null ? 'There is nothing to undo.' : `Undone: ${step.label}.`)
    if (step !== null) show(step.changes.keys())
  }

  function redo(): void {
    const step = sheet.redo()
    setStatus(step === null ? 'There is nothing to redo.' : `Redone: ${step.label}.`)
    if (step !== null) show(step.changes.keys())
  }

  return {
    ...{ canUndo, canRedo, clear, copied: selectionText, paste, fill, fillFrom, bulk },
    ...{ addRow, duplicate, remove, discard, undo, redo },
  }
}
