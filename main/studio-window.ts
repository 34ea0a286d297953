// A window of the studio: opened as it was left, without Node, and restored to its place when its page crashes.
import type { BrowserWindow } from 'electron/main'
import { decideRestart } from './decisions/restart-policy.ts'
import { addressOfPage } from './decisions/studio-address.ts'
import { type Bounds, chooseState, minSize, type WindowState } from './decisions/window-state.ts'
import type { Electron, Timer } from './electron.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'
import { statusPage, type Status } from './status-page.ts'

const saveDelayMs = 500
/** Offset of a new window from the active one. */
const step = 28

export interface StudioWindow {
  readonly window: BrowserWindow
  /** Its URL in the studio, or the last one while the studio was available. */
  readonly address: string
  /** Whether it shows the studio, alive or not, and not a status page. */
  readonly isInStudio: boolean
  /** Goes to a URL of the studio. Resolves once the page has loaded, or failed to. */
  visit(origin: string, address: string): Promise<void>
  /** Opens the studio by its one-time link, which leads to its first page. */
  enter(link: string): Promise<void>
  show(status: Status): void
  /** Another org will be shown: its URL is no longer used. */
  resetAddress(): void
}

export interface WindowHandlers {
  /** File that keeps the state of the window that changed last. */
  stateFile: string
  preload: string
  /** The current or last origin of the studio. */
  studioOrigin(): string | null
  /** The page crashed too often to be shown again. */
  onCrashLoop(window: StudioWindow, reason: string): void
}

/** @param beside the active window, for a new window */
export function studioWindow(
  electron: Electron,
  timer: Timer,
  duties: WindowHandlers,
  beside?: StudioWindow,
): StudioWindow {
  const state = chooseState(
    beside ? stateBeside(beside) : readJsonFile(duties.stateFile),
    workAreas(electron),
  )
  let { address, zoom } = state
  let inStudio = false
  let zoomed = false
  let ends: number[] = []
  let shownStatus: string | null = null
  let callOffSave = () => {}
  let callOffReload = () => {}

  const window = new electron.BrowserWindow({
    ...state.bounds,
    minWidth: minSize.width,
    minHeight: minSize.height,
    show: false,
    title: 'Almanac',
    webPreferences: {
      preload: duties.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  })
  const contents = window.webContents
  if (state.maximized) window.maximize()
  window.once('ready-to-show', () => window.show())

  async function load(url: string): Promise<void> {
    if (window.isDestroyed()) return
    // A load that is superseded by another rejects; the later one is used.
    await window.loadURL(url).catch(() => undefined)
  }

  function look(): void {
    const here = inStudio ? addressOfPage(contents.getURL(), duties.studioOrigin()) : null
    if (here === null) return
    address = here
    if (zoomed) zoom = contents.getZoomLevel()
  }

  function save(): void {
    callOffSave()
    look()
    const now: WindowState = {
      bounds: window.getNormalBounds(),
      maximized: window.isMaximized(),
      zoom,
      address,
    }
    try {
      writeJsonFile(duties.stateFile, now)
    } catch (error) {
      process.emitWarning(`The desktop could not write ${duties.stateFile}: ${String(error)}`)
    }
  }

  function saveSoon(): void {
    callOffSave()
    callOffSave = timer.after(saveDelayMs, save)
  }

  window.on('resize', saveSoon)
  window.on('move', saveSoon)
  window.on('maximize', saveSoon)
  window.on('unmaximize', saveSoon)
  window.on('close', save)
  window.on('closed', () => {
    callOffSave()
    callOffReload()
  })
  contents.on('did-navigate', saveSoon)
  contents.on('did-navigate-in-page', saveSoon)
  contents.on('did-finish-load', () => {
    if (zoomed || !inStudio) return
    contents.setZoomLevel(zoom)
    zoomed = true
  })
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return
    ends.push(timer.now())
    const decision = decideRestart(ends)
    if (!decision.again) {
      ends = []
      return duties.onCrashLoop(self, reason)
    }
    callOffReload = timer.after(decision.delay, () => {
      const home = duties.studioOrigin()
      if (home !== null && inStudio) void load(home + address)
    })
  })

  const self: StudioWindow = {
    window,
    get address() {
      look()
      return address
    },
    get isInStudio() {
      return inStudio
    },
    visit(origin, to) {
      inStudio = true
      shownStatus = null
      address = to
      return load(origin + to)
    },
    enter(link) {
      inStudio = true
      shownStatus = null
      return load(link)
    },
    show(status) {
      look()
      inStudio = false
      const page = statusPage(status)
      if (page !== shownStatus) void load(page)
      shownStatus = page
    },
    resetAddress() {
      address = '/'
    },
  }
  return self
}

function stateBeside({ window, address }: StudioWindow): WindowState {
  const { x, y, width, height } = window.getNormalBounds()
  return {
    bounds: { x: x + step, y: y + step, width, height },
    maximized: false,
    zoom: window.webContents.getZoomLevel(),
    address,
  }
}

function workAreas({ screen }: Electron): Bounds[] {
  const first = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter((display) => display.id !== first.id)
  return [first, ...others].map((display) => display.workArea)
}
