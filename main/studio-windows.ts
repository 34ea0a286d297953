// All windows of the studio: what each of them shows while the server starts, serves or ends, or while another org is
// opened.
import type { Electron, Timer } from './electron.ts'
import type { IpcEvents } from './ipc-map.ts'
import { type StudioWindow, studioWindow, type WindowHandlers } from './studio-window.ts'
import type { Status } from './status-page.ts'

export interface ServerAddress {
  origin: string
  /** Opens the studio once, in one window, whose cookie the others share. */
  link: string
}

export interface StudioWindows {
  /** Opens a new window, next to the active one. */
  open(): void
  /** Brings the front window to the top; opens one if needed. */
  focus(): void
  front(): StudioWindow | undefined
  /** Reports that the server can be reached, that it cannot be reached at the moment, or why it has failed. */
  serverReady(by: ServerAddress): void
  serverUnavailable(): void
  serverFailed(status: Status): void
  /** Another org is about to be opened. */
  showNewOrg(address: string): void
  /** Goes to a page of the studio in the active window, immediately or when the server is ready. */
  navigate(address: string): void
  send<K extends keyof IpcEvents>(channel: K, value: IpcEvents[K]): void
}

export interface WindowsHandlers extends Omit<WindowHandlers, 'studioOrigin'> {
  /** What a window shows until the server is ready. */
  waitingStatus(): Status
  /** Called when another window came to the front, or its content changed. */
  onChange(): void
}

export function studioWindows(electron: Electron, timer: Timer, duties: WindowsHandlers): StudioWindows {
  let windows: StudioWindow[] = []
  let server: ServerAddress | null = null
  let failure: Status | null = null
  let usedLink: string | null = null
  let home: string | null = null
  let pendingAddress: string | null = null

  function open(): StudioWindow {
    const newWindow = studioWindow(electron, timer, { ...duties, studioOrigin: () => home }, front())
    windows = [newWindow, ...windows]
    newWindow.window.on('focus', () => {
      windows = [newWindow, ...windows.filter((other) => other !== newWindow)]
      duties.onChange()
    })
    newWindow.window.on('closed', () => {
      windows = windows.filter((other) => other !== newWindow)
      duties.onChange()
    })
    if (failure) newWindow.show(failure)
    else if (server) void bring(server, [newWindow])
    else newWindow.show(duties.waitingStatus())
    return newWindow
  }

  /** Brings windows into the studio: the first one by the link, unless it was used, then each to its URL. */
  async function bring(by: ServerAddress, which: readonly StudioWindow[]): Promise<void> {
    const places = which.map((each) => ({ each, address: each.address }))
    if (pendingAddress !== null && places[0]) {
      places[0].address = pendingAddress
      pendingAddress = null
    }
    if (by.link !== usedLink && which[0]) {
      usedLink = by.link
      await which[0].enter(by.link)
      if (places[0]?.address === '/') places.shift()
    }
    if (by !== server) return
    await Promise.all(places.map(({ each, address }) => each.visit(by.origin, address)))
  }

  function front(): StudioWindow | undefined {
    return windows[0]
  }

  return {
    open: () => void open(),
    focus() {
      const { window } = front() ?? open()
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
    },
    front,
    serverReady(by) {
      server = by
      failure = null
      // A loaded page still has a URL under its earlier origin.
      const which = [...windows]
      for (const each of which) void each.address
      home = by.origin
      void bring(by, which)
    },
    serverUnavailable() {
      server = null
      failure = null
      // A loaded page itself shows that the server does not respond, and keeps what is typed.
      for (const each of windows) if (!each.isInStudio) each.show(duties.waitingStatus())
    },
    serverFailed(status) {
      server = null
      failure = status
      for (const each of windows) each.show(status)
    },
    showNewOrg(address) {
      server = null
      failure = null
      for (const each of windows) {
        each.show(duties.waitingStatus())
        each.resetAddress()
      }
      pendingAddress = address
    },
    navigate(address) {
      const inFront = front()
      if (server && inFront?.isInStudio) inFront.window.webContents.send('studio/go', address)
      else pendingAddress = address
    },
    send(channel, value) {
      const inFront = front()
      if (server && inFront?.isInStudio) inFront.window.webContents.send(channel, value)
    },
  }
}
