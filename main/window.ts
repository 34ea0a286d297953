// The one window: locked to our origin, without Node, opened where it was.
import type { BrowserWindow, WebContents } from 'electron/main'
import { decideNavigation } from './decisions/navigation-policy.ts'
import { type Bounds, chooseBounds, smallest, type WindowState } from './decisions/window-bounds.ts'
import type { Electron } from './electron.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'

/**
 * Opens the window, empty.
 * @param stateFile where its bounds are kept between starts
 * @param preload path of the built preload script
 */
export function openWindow(electron: Electron, stateFile: string, preload: string): BrowserWindow {
  const state = chooseBounds(readJsonFile(stateFile), workAreas(electron))
  const window = new electron.BrowserWindow({
    ...state.bounds,
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    title: 'Almanac',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  })
  if (state.maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  window.on('close', () => {
    const now: WindowState = { bounds: window.getNormalBounds(), maximized: window.isMaximized() }
    writeJsonFile(stateFile, now)
  })
  return window
}

/**
 * Keeps a page where it belongs.
 * @param origin the studio's origin; null while the server is down
 * @param retry what the failure page's button does
 */
export function lockNavigation(
  electron: Pick<Electron, 'shell'>,
  contents: WebContents,
  origin: () => string | null,
  retry: () => void,
): void {
  const decide = (url: string): boolean => {
    const decision = decideNavigation(url, origin())
    if (decision === 'browser') void electron.shell.openExternal(url)
    if (decision === 'retry') retry()
    return decision === 'stay'
  }
  contents.on('will-frame-navigate', (event) => {
    if (!decide(event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => {
    if (!decide(event.url)) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    const decision = decideNavigation(url, origin())
    if (decision === 'browser') void electron.shell.openExternal(url)
    return { action: 'deny' }
  })
}

function workAreas({ screen }: Electron): Bounds[] {
  const first = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter((display) => display.id !== first.id)
  return [first, ...others].map((display) => display.workArea)
}
