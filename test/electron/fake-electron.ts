// A stateful fake of Electron: it records calls, and behaves like the real one in everything that main depends on.
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Electron, Timer } from '../../main/electron.ts'
import { FakeKeychain, type FakeKeychainState } from './fake-keychain.ts'

type Handler = (event: unknown, ask: unknown) => unknown
interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

let contentsMade = 0

export class FakeWebContents extends EventEmitter {
  readonly id = ++contentsMade
  readonly sent: { channel: string; value: unknown }[] = []
  url = ''
  zoom = 0
  private openHandler: ((details: { url: string }) => { action: string }) | null = null

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler
  }
  send(channel: string, value: unknown): void {
    this.sent.push({ channel, value })
  }
  getURL(): string {
    return this.url
  }
  getZoomLevel(): number {
    return this.zoom
  }
  setZoomLevel(level: number): void {
    this.zoom = level
  }

  /** The page navigates within its origin, as its router does. */
  goes(url: string): void {
    this.url = url
    this.emit('did-navigate-in-page', {}, url, true)
  }
  /** The page follows a link; returns whether the window would have navigated. */
  follows(url: string, by: 'will-frame-navigate' | 'will-redirect' = 'will-frame-navigate'): boolean {
    return this.emitPreventable(by, { url })
  }
  /** The page opens a new window; returns whether one would have opened. */
  opens(url: string): boolean {
    return this.openHandler!({ url }).action !== 'deny'
  }
  attachesWebview(): boolean {
    return this.emitPreventable('will-attach-webview', {})
  }
  /** The page's process ends. */
  dies(reason = 'crashed'): void {
    this.emit('render-process-gone', {}, { reason, exitCode: 5 })
  }

  private emitPreventable(name: string, details: object): boolean {
    let prevented = false
    this.emit(name, { ...details, preventDefault: () => (prevented = true) })
    return !prevented
  }
}

export class FakeWindow extends EventEmitter {
  readonly webContents = new FakeWebContents()
  readonly loaded: string[] = []
  readonly options: Rectangle & { webPreferences: Record<string, unknown> }
  bounds: Rectangle
  visible = false
  focused = 0
  minimized = false
  maximized = false
  destroyed = false

  constructor(options: FakeWindow['options']) {
    super()
    this.options = options
    const { x, y, width, height } = options
    this.bounds = { x, y, width, height }
  }

  /**
   * As in Electron: the one-time link redirects to the first page, unless that is prevented; then the page is loaded.
   */
  async loadURL(url: string): Promise<void> {
    this.loaded.push(url)
    await null
    if (this.destroyed) throw new Error('ERR_FAILED')
    const { webContents } = this
    const first = `${URL.canParse(url) ? new URL(url).origin : ''}/`
    const leadsOn = url.includes('/session?')
    if (leadsOn && !webContents.follows(first, 'will-redirect')) throw new Error('ERR_ABORTED')
    webContents.url = leadsOn ? first : url
    this.emit('ready-to-show')
    webContents.emit('did-navigate', {}, webContents.url)
    webContents.emit('did-finish-load', {})
  }
  /** The page that is shown, as a user would read it. */
  get shown(): string {
    return decodeURIComponent(this.webContents.url)
  }
  isDestroyed(): boolean {
    return this.destroyed
  }
  show(): void {
    this.visible = true
  }
  focus(): void {
    this.focused++
    this.emit('focus')
  }
  isMinimized(): boolean {
    return this.minimized
  }
  restore(): void {
    this.minimized = false
  }
  maximize(): void {
    this.maximized = true
    this.emit('maximize')
  }
  isMaximized(): boolean {
    return this.maximized
  }
  getNormalBounds(): Rectangle {
    return this.bounds
  }
  /** The user moves or resizes the window. */
  placed(bounds: Rectangle): void {
    this.bounds = bounds
    this.emit('resize')
  }
  /** The user closes the window. */
  close(): void {
    this.emit('close', {})
    this.destroyed = true
    this.webContents.emit('destroyed')
    this.emit('closed')
  }
}

export class FakeServerProcess extends EventEmitter {
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly heard: Record<string, unknown>[] = []
  killed = false
  private readonly obedient: boolean

  constructor(obedient: boolean) {
    super()
    this.obedient = obedient
  }

  postMessage(message: Record<string, unknown>): void {
    this.heard.push(message)
    if (message.kind === 'stop' && this.obedient) queueMicrotask(() => this.emit('exit', 0))
  }
  kill(): boolean {
    this.killed = true
    if (this.obedient) queueMicrotask(() => this.emit('exit', 0))
    return true
  }
  get stopped(): boolean {
    return this.heard.some(({ kind }) => kind === 'stop')
  }
  becomesReady(port = 4680): void {
    const listening = `http://127.0.0.1:${port}`
    this.emit('message', { kind: 'ready', listening, open: `${listening}/session?once=abc` })
  }
  crashes(code = 1): void {
    this.emit('exit', code)
  }
}

class FakeApp extends EventEmitter {
  readonly userData: string
  quits = 0
  /** What this start passed on if another instance holds the lock. */
  handed: unknown
  private readonly hasLock: boolean

  constructor(userData: string, hasLock: boolean) {
    super()
    this.userData = userData
    this.hasLock = hasLock
  }
  requestSingleInstanceLock(data: unknown): boolean {
    this.handed = data
    return this.hasLock
  }
  async whenReady(): Promise<void> {}
  getPath(): string {
    return this.userData
  }
  getVersion(): string {
    return '0.1.0'
  }
  /** As in Electron: emits "before-quit", and quits only if no listener prevents it. */
  quit(): void {
    let prevented = false
    this.emit('before-quit', { preventDefault: () => (prevented = true) })
    if (!prevented) this.quits++
  }
}

export class FakeTimer implements Timer {
  private time = 0
  private waiting: { at: number; run: () => void }[] = []

  now(): number {
    return this.time
  }
  after(milliseconds: number, run: () => void): () => void {
    const entry = { at: this.time + milliseconds, run }
    this.waiting.push(entry)
    return () => void (this.waiting = this.waiting.filter((other) => other !== entry))
  }
  /** Advances time; due timers run in order. */
  async pass(milliseconds: number): Promise<void> {
    const until = this.time + milliseconds
    for (;;) {
      const next = this.waiting.filter((entry) => entry.at <= until).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      this.waiting = this.waiting.filter((entry) => entry !== next)
      this.time = next.at
      next.run()
      await settled()
    }
    this.time = until
  }
}

export interface FakeMenuItem {
  id?: string
  label?: string
  role?: string
  accelerator?: string
  enabled?: boolean
  submenu?: FakeMenuItem[]
  click?: () => void
}

interface Permissions {
  request?: (contents: null, permission: string, answer: (granted: boolean) => void, details: object) => void
  check?: (contents: null, permission: string, origin: string) => boolean
  device?: () => boolean
  display?: (request: null, answer: (streams: object | null) => void) => void
}

export interface FakeOptions {
  userData: string
  hasLock?: boolean
  keychain?: FakeKeychainState
  screens?: Rectangle[]
  /** A server that does not end when it is asked to. */
  stubbornServer?: boolean
  /** Starts a real process in place of Electron's utility process. */
  fork?: (script: string) => EventEmitter
}

/** Lets all pending microtasks and immediates finish. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}

/** Makes a machine with Electron on it. The fields record what happened; main receives `electron`. */
export function fakeElectron(options: FakeOptions) {
  const keychain = new FakeKeychain(options.keychain ?? { backend: 'gnome_libsecret', mark: 'v11' })
  const screens = options.screens ?? [{ x: 0, y: 0, width: 1920, height: 1080 }]
  const app = new FakeApp(options.userData, options.hasLock ?? true)
  const windows: FakeWindow[] = []
  const servers: EventEmitter[] = []
  const browser: string[] = []
  const folders: string[] = []
  const handlers = new Map<string, Handler>()
  const permission: Permissions = {}
  const dialogs: { message: string; detail?: string; buttons: string[] }[] = []
  const errors: string[] = []
  /** Labels of the buttons that the user will click; the safe button if none is set. */
  const clicks: string[] = []
  let chosenFolder: string | undefined
  let menu: FakeMenuItem[] = []

  const items = (list: FakeMenuItem[]): FakeMenuItem[] =>
    list.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? items(item.submenu) : [])])

  const electron = {
    app,
    BrowserWindow: class extends FakeWindow {
      constructor(windowOptions: FakeWindow['options']) {
        super(windowOptions)
        windows.push(this)
        app.emit('web-contents-created', {}, this.webContents)
      }
    },
    utilityProcess: {
      fork: (script: string) => {
        const server = options.fork?.(script) ?? new FakeServerProcess(!options.stubbornServer)
        servers.push(server)
        return server
      },
    },
    ipcMain: { handle: (channel: string, handler: Handler) => void handlers.set(channel, handler) },
    safeStorage: keychain,
    session: {
      defaultSession: {
        setPermissionRequestHandler: (handler: Permissions['request']) => (permission.request = handler),
        setPermissionCheckHandler: (handler: Permissions['check']) => (permission.check = handler),
        setDevicePermissionHandler: (handler: Permissions['device']) => (permission.device = handler),
        setDisplayMediaRequestHandler: (handler: Permissions['display']) => (permission.display = handler),
      },
    },
    shell: {
      openExternal: async (url: string) => {
        if (url.startsWith('mailto:nobody')) throw new Error('No application')
        browser.push(url)
      },
      openPath: async (path: string) => {
        folders.push(path)
        return path.includes('absent') ? 'No such file or directory' : ''
      },
    },
    dialog: {
      showErrorBox: (title: string, content: string) => void errors.push(`${title}: ${content}`),
      showMessageBox: async (box: (typeof dialogs)[number] & { cancelId: number }) => {
        dialogs.push(box)
        const at = box.buttons.indexOf(clicks.shift() ?? '')
        return { response: at >= 0 ? at : box.cancelId }
      },
      showOpenDialog: async () => ({
        canceled: chosenFolder === undefined,
        filePaths: chosenFolder === undefined ? [] : [chosenFolder],
      }),
    },
    Menu: {
      buildFromTemplate: (template: FakeMenuItem[]) => ({
        template,
        getMenuItemById: (id: string) => items(template).find((item) => item.id === id) ?? null,
      }),
      setApplicationMenu: (built: { template: FakeMenuItem[] }) => void (menu = built.template),
    },
    screen: {
      getPrimaryDisplay: () => ({ id: 0, workArea: screens[0]! }),
      getAllDisplays: () => screens.map((workArea, id) => ({ id, workArea })),
    },
  }

  return {
    electron: electron as unknown as Electron,
    app,
    timer: new FakeTimer(),
    keychain,
    windows,
    servers,
    browser,
    folders,
    dialogs,
    errors,
    /** The window that was opened last. */
    get window() {
      return windows.at(-1)!
    },
    get server() {
      return servers.at(-1) as FakeServerProcess
    },
    get menu() {
      return menu
    },
    item: (id: string) => items(menu).find((item) => item.id === id)!,
    /** The user chooses a menu item; a disabled item does nothing. */
    choose(id: string): void {
      const item = items(menu).find((each) => each.id === id)!
      if (item.enabled !== false) item.click!()
    },
    /** The user will click this button in the next dialog. */
    clicks: (button: string) => void clicks.push(button),
    choosesFolder: (path: string) => void (chosenFolder = path),
    /** A second instance of the application passes its arguments to this one. */
    async secondInstance(data: unknown = {}): Promise<void> {
      app.emit('second-instance', {}, [], '/', data)
      await settled()
    },
    /** A frame sends a request over IPC, as ipcRenderer.invoke does. */
    async invoke(channel: string, ask: unknown, frame: { url: string; parent: object | null } | null) {
      const handler = handlers.get(channel)
      if (!handler) throw new Error(`No handler for ${channel}.`)
      return handler({ senderFrame: frame, sender: windows.at(-1)!.webContents }, ask)
    },
    /** A page requests a permission in both ways. */
    asks(name: string, url: string): { requested: boolean; checked: boolean } {
      let requested = false
      permission.request!(null, name, (answer) => (requested = answer), { requestingUrl: url })
      return { requested, checked: permission.check!(null, name, new URL(url).origin) }
    },
    asksForDevice: () => permission.device!(),
    asksForScreen(): boolean {
      let granted: object | null = {}
      permission.display!(null, (streams) => (granted = streams))
      return granted !== null
    },
  }
}

export type FakeMachine = ReturnType<typeof fakeElectron>
