// The native menu: the studio's commands, and the editing that every desktop expects.
import type { MenuItemConstructorOptions } from 'electron/main'
import type { MenuCommand } from './ipc-map.ts'

/**
 * The menu as data.
 * @param send carries a command to the page
 */
export function menuTemplate(
  platform: string,
  send: (command: MenuCommand) => void,
): MenuItemConstructorOptions[] {
  const item = (label: string, command: MenuCommand, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    id: command,
    accelerator,
    click: () => send(command),
  })
  return [
    ...(platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    {
      label: 'File',
      submenu: [item('New draft', 'new-draft', 'CmdOrCtrl+N'), { type: 'separator' }, { role: 'quit' }],
    },
    { role: 'editMenu' },
    {
      label: 'Go',
      submenu: [
        item('Explorer', 'go-explorer', 'CmdOrCtrl+1'),
        item('Changes', 'go-changes', 'CmdOrCtrl+2'),
        item('Playground', 'go-playground', 'CmdOrCtrl+3'),
        { type: 'separator' },
        item('Find…', 'find', 'CmdOrCtrl+F'),
        item('Command palette…', 'command-palette', 'CmdOrCtrl+K'),
      ],
    },
    {
      label: 'Changes',
      submenu: [
        item('Review changes', 'review-changes', 'CmdOrCtrl+Shift+R'),
        item('Apply…', 'apply', 'CmdOrCtrl+Shift+Enter'),
      ],
    },
    { role: 'viewMenu' },
    { role: 'windowMenu' },
    { role: 'help', submenu: [item('Keyboard shortcuts', 'shortcuts', 'CmdOrCtrl+/')] },
  ]
}
