// The native menu: the studio's commands from the same list as the palette, and the standard entries of a desktop.
import type { Menu, MenuItemConstructorOptions } from 'electron/main'
import { type Command, type CommandId, commands, menus } from '../renderer/frame/commands.ts'
import type { Electron } from './electron.ts'

export interface MenuHandlers {
  /** Sends a command to the active page. */
  command(id: CommandId): void
  newWindow(): void
  openOrg(): void
  showFolder(): void
}

/** The menu as data. */
export function menuTemplate(platform: string, duties: MenuHandlers): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin'
  const of = (menu: Command['menu']): MenuItemConstructorOptions[] =>
    commands
      .filter((command) => command.menu === menu)
      .map(({ id, label, keys }) => ({
        id,
        label,
        accelerator: acceleratorOf(keys),
        // Disabled until a page of the studio can carry it out.
        enabled: false,
        click: () => duties.command(id),
      }))
  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: menus.file,
      submenu: [
        ...of('file'),
        { type: 'separator' },
        {
          id: 'new-window',
          label: 'New window',
          accelerator: 'CmdOrCtrl+Shift+N',
          click: () => duties.newWindow(),
        },
        { id: 'open-org', label: 'Open another org…', click: () => duties.openOrg() },
        { id: 'show-folder', label: 'Show the org’s folder', click: () => duties.showFolder() },
        { type: 'separator' },
        { role: mac ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    { label: menus.go, submenu: of('go') },
    { label: menus.changes, submenu: of('changes') },
    {
      label: menus.view,
      submenu: [
        ...of('view'),
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        // Their usual keys belong to commands of the studio.
        { role: 'reload', accelerator: 'F5' },
        { role: 'toggleDevTools', accelerator: 'F12' },
      ],
    },
    { role: 'windowMenu' },
    { role: 'help', label: menus.help, submenu: of('help') },
  ]
}

export interface StudioMenu {
  /** Enables commands, except those that the page cannot carry out now; none if no studio is shown. */
  setAvailability(shown: boolean, unavailable: ReadonlySet<CommandId>): void
}

/** Installs the menu. */
export function installMenu(
  electron: Pick<Electron, 'Menu'>,
  platform: string,
  duties: MenuHandlers,
): StudioMenu {
  const menu: Menu = electron.Menu.buildFromTemplate(menuTemplate(platform, duties))
  electron.Menu.setApplicationMenu(menu)
  return {
    setAvailability(shown, unavailable) {
      for (const { id } of commands) {
        const item = menu.getMenuItemById(id)
        if (item) item.enabled = shown && !unavailable.has(id)
      }
    },
  }
}

/** A single character would fire while the user types it, so it stays a key of the page. */
function acceleratorOf(keys: string | undefined): string | undefined {
  return keys?.includes('+') ? keys.replace('Mod', 'CmdOrCtrl') : undefined
}
