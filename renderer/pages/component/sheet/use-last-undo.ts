// Notes the steps of a sheet as changes, so that Ctrl+Z with the focus anywhere undoes the last one.
import { watch } from 'vue'
import { noteChange } from '../../../stores/last-change.ts'
import { useUndoAnywhere } from './use-undo-anywhere.ts'
import type { SheetView } from './use-sheet-view.ts'

export function useLastUndo(view: SheetView): void {
  const { sheet, changes } = view.open
  let step = sheet.undoStack.last
  watch(
    changes,
    () => {
      if (sheet.undoStack.last !== null && sheet.undoStack.last !== step) noteChange(sheet)
      step = sheet.undoStack.last
    },
    { flush: 'sync' },
  )

  useUndoAnywhere(sheet, view)
}
