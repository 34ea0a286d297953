// Ctrl+Z with the focus anywhere: undoes the last step of a sheet or grid if nothing else was changed since.
import { onBeforeUnmount, onMounted } from 'vue'
import { ownsUndo } from '../../../stores/last-change.ts'

/** @param owner the object with which the steps are noted as changes */
export function useUndoAnywhere(owner: object, view: { undo(): void; redo(): void }): void {
  function handleKey(event: KeyboardEvent): void {
    const key = event.key.toLowerCase()
    if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return
    if (event.defaultPrevented || !ownsUndo(owner, event.target)) return
    event.preventDefault()
    event.stopPropagation()
    if (key === 'y' || event.shiftKey) view.redo()
    else view.undo()
  }
  onMounted(() => window.addEventListener('keydown', handleKey, true))
  onBeforeUnmount(() => window.removeEventListener('keydown', handleKey, true))
}
