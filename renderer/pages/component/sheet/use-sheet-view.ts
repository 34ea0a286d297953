// A user's view of a sheet and the actions on it.
import { useCellEditing } from './use-cell-editing.ts'
import { useSheetStatus } from './use-sheet-status.ts'
import { useSheetActions } from './use-sheet-actions.ts'
import { useSheetViewport, type SheetViewDeps } from './use-sheet-viewport.ts'

export type SheetView = ReturnType<typeof useSheetView>

export function useSheetView(deps: SheetViewDeps) {
  const { open, all, context, canWrite } = deps
  const viewer = useSheetViewport(deps)
  const saying = useSheetStatus()
  const editing = useCellEditing(deps, viewer, saying)
  const actions = useSheetActions(deps, viewer, saying, editing.edit)
  return { open, all, context, canWrite, ...viewer, ...saying, ...editing, ...actions }
}
