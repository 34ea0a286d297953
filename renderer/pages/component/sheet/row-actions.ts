// The actions for the selected rows, in the toolbar's menu and the row's context menu.
import type { IconName } from '../../../frame/icons.ts'

export interface RowAction {
  id: 'open' | 'value' | 'add' | 'duplicate' | 'bulk' | 'discard' | 'remove'
  label: string
  icon?: IconName
  danger?: boolean
  disabled?: boolean
}

/** @param rows the number of selected rows; `drafted` is how many of them have drafts */
export function rowActions({
  rows,
  drafted,
  dated,
}: {
  rows: number
  drafted: number
  dated: boolean
}): RowAction[] {
  const none = rows === 0
  return [
    { id: 'open', label: 'Open entry (Alt Enter)', icon: 'entry', disabled: none },
    ...(dated
      ? [{ id: 'value' as const, label: 'New value from…', icon: 'calendar' as const, disabled: none }]
      : []),
    { id: 'add', label: 'Add a row at the end', icon: 'plus' },
    { id: 'duplicate', label: 'Duplicate (Ctrl Shift D)', icon: 'copy', disabled: none },
    { id: 'bulk', label: 'Change selected cells…', icon: 'edit', disabled: none },
    { id: 'discard', label: 'Discard the drafts of these rows', icon: 'undo', disabled: drafted === 0 },
    { id: 'remove', label: 'Draft removal (Ctrl −)', icon: 'trash', danger: true, disabled: none },
  ]
}
