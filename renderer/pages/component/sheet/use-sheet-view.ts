// A user's view of a sheet and the actions on it.
import { useCellEditing } from './use-cell-editing.ts'
import { useSaying } from './use-saying.ts'
import { useSheetActions } from './use-sheet-actions.ts'
import { useSheetSight, type SheetViewParts } from './use-sheet-sight.ts'

export type SheetView = ReturnType<typeof useSheetView>

export function useSheetView(parts: SheetViewParts) {
  const { open, all, context, canWrite } = parts
  const sight = useSheetSight(parts)
  const saying = useSaying()
  const editing = useCellEditing(parts, sight, saying)
  const actions = useSheetActions(parts, sight, saying, editing.edit)
  return { open, all, context, canWrite, ...sight, ...saying, ...editing, ...actions }
}
