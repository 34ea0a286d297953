// The desktop's order of start: one instance, permissions, calls, window, menu, server. Decisions lie in decisions/.
import { join } from 'node:path'
import type { BrowserWindow } from 'electron/main'
import { decidePermission } from './decisions/permission-policy.ts'
import type { Electron, Timer } from './electron.ts'
import { failurePage } from './failure-page.ts'
import { answerCalls } from './ipc.ts'
import type { MenuCommand } from './ipc-map.ts'
import { keychain } from './keychain.ts'
import { menuTemplate } from './menu.ts'
import { serverRunner, type ServerState } from './server-runner.ts'
import { lockNavigation, openWindow } from './window.ts'

/** Where the built parts and the person's data lie. */
export interface Places {
  /** Root of the installed application. */
  root: string
  preload: string
  serverProcess: string
  /** Folder of the org that opens. */
  org: string
}

/** Starts the desktop. Answers once the window is open and the server has been asked to start. */
export async function startDesktop(electron: Electron, timer: Timer, places: Places): Promise<void> {
  const { app } = electron
  if (!app.requestSingleInstanceLock()) return app.quit()

  let window: BrowserWindow | null = null
  let origin: string | null = null
  let usedLink: string | null = null
  let leaving = false

  app.on('second-instance', () => {
    if (!window) return
    if (window.isMinimized()) window.restore()
    window.focus()
  })
  await app.whenReady()

  const keys = keychain(electron, process.platform, join(app.getPath('userData'), 'vault-key.json'))
  const server = serverRunner(
    electron,
    timer,
    places.serverProcess,
    () => ({ kind: 'start', org: places.org, root: places.root, vaultKey: keys.vaultKey() }),
    show,
  )

  denyPermissions(electron, () => origin)
  answerCalls(electron, keys, () => origin)
  electron.Menu.setApplicationMenu(electron.Menu.buildFromTemplate(menuTemplate(process.platform, send)))
  open()
  server.start()

  app.on('activate', () => window ?? open())
  app.on('window-all-closed', () => process.platform !== 'darwin' && app.quit())
  app.on('before-quit', (event) => {
    if (leaving) return
    // The server closes its files before the application goes.
    event.preventDefault()
    leaving = true
    void server.stop().finally(() => app.quit())
  })

  function open(): void {
    const opened = openWindow(electron, join(app.getPath('userData'), 'window.json'), places.preload)
    window = opened
    opened.on('closed', () => (window = null))
    lockNavigation(electron, opened.webContents, () => origin, server.retry)
    show(server.state)
  }

  function show(state: ServerState): void {
    origin = state.kind === 'ready' ? new URL(state.listening).origin : null
    if (state.kind === 'ready' && window) {
      // The link works once; a window that is opened later has its cookie already.
      void window.loadURL(state.open === usedLink ? state.listening : state.open)
      usedLink = state.open
    }
    if (state.kind === 'failed')
      void window?.loadURL(failurePage('The studio could not be opened', state.reason))
  }

  function send(command: MenuCommand): void {
    if (origin !== null) window?.webContents.send('menu/command', command)
  }
}

function denyPermissions(electron: Electron, origin: () => string | null): void {
  const { defaultSession } = electron.session
  defaultSession.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(decidePermission(permission, details.requestingUrl, origin())),
  )
  defaultSession.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    decidePermission(permission, requestingOrigin, origin()),
  )
  defaultSession.setDevicePermissionHandler(() => false)
}
