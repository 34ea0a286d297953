// The actions on the tabs of a side, as its menu lists them.
export type TabAction = 'close' | 'keep' | 'split' | 'over' | 'reopen' | 'others' | 'all'

export interface TabsState {
  split: boolean
  tabs: number
  /** Whether the active page has a tab. */
  front: boolean
  closedCount: number
  /** Whether the tab is replaced by the next visited page. */
  preview: boolean
}

export function tabActions({ split, tabs, front, closedCount, preview }: TabsState) {
  const items: { id: TabAction; label: string; disabled: boolean }[] = [
    { id: 'close', label: 'Close tab', disabled: !front },
    { id: 'keep', label: 'Keep tab open', disabled: !preview },
    { id: 'over', label: 'Move tab to the other pane', disabled: !front || (tabs < 2 && !split) },
    { id: 'split', label: split ? 'Close this pane' : 'Split into two panes', disabled: false },
    { id: 'reopen', label: 'Reopen closed tab', disabled: closedCount === 0 },
    { id: 'others', label: 'Close other tabs', disabled: tabs < 2 },
    { id: 'all', label: 'Close all tabs', disabled: tabs === 0 },
  ]
  return items
}
