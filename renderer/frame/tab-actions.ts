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
    { id: 'close', label: 'Close the tab', disabled: !front },
    { id: 'keep', label: 'Keep the tab open', disabled: !preview },
    { id: 'over', label: 'Move the tab to the other side', disabled: !front || (tabs < 2 && !split) },
    { id: 'split', label: split ? 'Close this side' : 'Split into two sides', disabled: false },
    { id: 'reopen', label: 'Reopen the closed tab', disabled: closedCount === 0 },
    { id: 'others', label: 'Close the other tabs', disabled: tabs < 2 },
    { id: 'all', label: 'Close all tabs', disabled: tabs === 0 },
  ]
  return items
}
