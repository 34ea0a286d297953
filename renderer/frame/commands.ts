// The commands of the studio as data: the palette, the keys and the desktop's native menu are built from this one list.
// It runs in the page and in the desktop process, so it depends on neither.
import type { IconName } from './icons.ts'
import { navigation, type PageName } from './navigation.ts'

/** The native menus that hold commands, in their order. */
export const menus = { file: 'File', go: 'Go', changes: 'Changes', view: 'View', help: 'Help' } as const

export type CommandId =
  | 'command-palette'
  | 'keep'
  | 'review-changes'
  | 'apply'
  | 'new-draft'
  | 'find'
  | 'filter-explorer'
  | `go-${PageName}`
  | 'split'
  | 'other-side'
  | 'tab-over'
  | 'next-tab'
  | 'previous-tab'
  | 'tab-right'
  | 'tab-left'
  | 'close-tab'
  | 'reopen-tab'
  | 'dock'
  | 'theme'
  | 'shortcuts'

export interface Command {
  id: CommandId
  label: string
  icon: IconName
  /** The native menu that holds the command. */
  menu: keyof typeof menus
  /** As in `Mod+Shift+R`; `Mod` is Ctrl, or Cmd on a Mac. A single `?` works only in the page. */
  keys?: string
}

export const commands: readonly Command[] = [
  { id: 'command-palette', label: 'Command palette', icon: 'search', menu: 'go', keys: 'Mod+K' },
  {
    id: 'keep',
    label: 'Save the record, or check and save drafts',
    icon: 'check',
    menu: 'file',
    keys: 'Mod+S',
  },
  { id: 'review-changes', label: 'Review changes', icon: 'review', menu: 'changes', keys: 'Mod+Shift+R' },
  { id: 'apply', label: 'Apply changes', icon: 'deploy', menu: 'changes', keys: 'Mod+Shift+Enter' },
  { id: 'new-draft', label: 'New component', icon: 'plus', menu: 'file', keys: 'Alt+N' },
  { id: 'find', label: 'Search everything', icon: 'search', menu: 'go', keys: 'Mod+Shift+F' },
  { id: 'filter-explorer', label: 'Filter the explorer', icon: 'filter', menu: 'go' },
  ...navigation.map(({ name, label, icon }, at): Command => ({
    id: `go-${name}`,
    label: `Go to ${label}`,
    icon,
    menu: 'go',
    ...(at < 9 ? { keys: `Alt+${at + 1}` } : {}),
  })),
  { id: 'next-tab', label: 'Next tab', icon: 'right', menu: 'go', keys: 'Alt+PageDown' },
  { id: 'previous-tab', label: 'Previous tab', icon: 'arrow', menu: 'go', keys: 'Alt+PageUp' },
  { id: 'other-side', label: 'Go to the other pane', icon: 'splith', menu: 'go', keys: 'F6' },
  { id: 'split', label: 'Split into two panes, or close one', icon: 'splith', menu: 'view', keys: 'Mod+\\' },
  {
    id: 'tab-over',
    label: 'Move tab to the other pane',
    icon: 'splith',
    menu: 'view',
    keys: 'Alt+Shift+O',
  },
  { id: 'tab-left', label: 'Move tab left', icon: 'sort', menu: 'view', keys: 'Alt+Shift+PageUp' },
  {
    id: 'tab-right',
    label: 'Move tab right',
    icon: 'sort',
    menu: 'view',
    keys: 'Alt+Shift+PageDown',
  },
  { id: 'close-tab', label: 'Close tab', icon: 'x', menu: 'file', keys: 'Alt+W' },
  { id: 'reopen-tab', label: 'Reopen closed tab', icon: 'undo', menu: 'file', keys: 'Alt+Shift+W' },
  { id: 'dock', label: 'Expand or collapse the dock', icon: 'splitv', menu: 'view', keys: 'Mod+J' },
  { id: 'theme', label: 'Switch theme: light, dark, high contrast', icon: 'theme', menu: 'view' },
  { id: 'shortcuts', label: 'Keyboard shortcuts', icon: 'keyboard', menu: 'help', keys: '?' },
]
