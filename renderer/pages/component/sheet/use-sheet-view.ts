// A user's view of a sheet and the actions on it.
import { useCellEditing } from './use-cell-editing.ts'
import { useSheetStatus } from './use-sheet-status.ts'
import { useSheetActions } from './use-sheet-actions.ts'
import { useSheetViewport, type SheetViewDeps } from './use-sheet-viewport.ts'

export type SheetView = ReturnType<typeof useSheetView>

export function useSheetView(parts: SheetViewDeps) {
  const { open, all, context, canWrite } = parts
  const sight = useSheetViewport(parts)
  const saying = useSheetStatus()
  const editing = useCellEditing(parts, sight, saying)
  const actions = useSheetActions(parts, sight, saying, editing.edit)
  return { open, all, context, canWrite, ...sight, ...saying, ...editing, ...actions }
}
