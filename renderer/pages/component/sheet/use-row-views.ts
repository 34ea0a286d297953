// The rows of a sheet as they are rendered, each created when it becomes visible and cached until anything changes.
import { computed } from 'vue'
import type { CellValue, SheetColumn } from './columns.ts'
import { createRowView, type RowView } from './row-view.ts'
import type { RowId } from './sheet-rows.ts'
import type { PastDays } from './use-past-days.ts'
import type { RowFindings } from './use-row-findings.ts'
import type { SheetView } from './use-sheet-view.ts'

export interface RowViewDeps {
  view: SheetView
  findings: RowFindings
  past: PastDays
  /** The text next to a value: the label of a key. */
  label(column: SheetColumn, value: CellValue): string
}

export function useRowViews({ view, findings, past, label }: RowViewDeps) {
  const { open } = view
  /** A new cache after each change. */
  const cache = computed(() => {
    void open.changes.value
    void findings.deps.value
    void view.columns.value
    return new Map<RowId, RowView>()
  })

  /** Null after the last row. */
  function rowViewAt(index: number): RowView | null {
    const views = cache.value
    const row = view.rows.value[index]
    if (row === undefined) return null
    let rowView = views.get(row)
    if (rowView === undefined) {
      const parts = {
        sheet: open.sheet,
        columns: view.columns.value,
        findings: findings.ofRow,
        past: past.ofRow,
        label,
      }
      views.set(row, (rowView = createRowView(parts, row)))
    }
    return rowView
  }

  /** What is wrong with the active cell, or else with its row. */
  const fault = computed(() => {
    const { row, column } = view.selection.value.active
    const rowView = rowViewAt(row)
    return rowView?.cells[column]?.fault || rowView?.words.split('\n')[0] || ''
  })

  /** A warning on the row never looks like an error in the cell. */
  const faultTone = computed((): 'err' | 'warn' => {
    const { row, column } = view.selection.value.active
    const rowView = rowViewAt(row)
    return !rowView?.cells[column]?.fault && rowView?.noteTone === 'warn' ? 'warn' : 'err'
  })

  return { rowViewAt, fault, faultTone }
}
