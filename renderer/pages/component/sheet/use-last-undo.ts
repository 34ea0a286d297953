// Ctrl+Z with the focus anywhere: undoes the last step of the sheet if nothing else was changed since.
import { onBeforeUnmount, onMounted, watch } from 'vue'
import { noteChange, ownsUndo } from '../../../stores/last-change.ts'
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

  function handleKey(event: KeyboardEvent): void {
    const key = event.key.toLowerCase()
    if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return
    if (event.defaultPrevented || !ownsUndo(sheet, event.target)) return
    event.preventDefault()
    event.stopPropagation()
    if (key === 'y' || event.shiftKey) view.redo()
    else view.undo()
  }
  onMounted(() => window.addEventListener('keydown', handleKey, true))
  onBeforeUnmount(() => window.removeEventListener('keydown', handleKey, true))
}
