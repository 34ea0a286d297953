// A stateful fake of Electron: it keeps what was done to it, and does what the real one would do where main depends on it.
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Electron, Timer } from '../../main/electron.ts'

type Handler = (event: unknown, ask: unknown) => unknown

export class FakeWebContents extends EventEmitter {
  readonly sent: { channel: string; value: unknown }[] = []
  private openHandler: ((details: { url: string }) => { action: string }) | null = null

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler
  }

  send(channel: string, value: unknown): void {
    this.sent.push({ channel, value })
  }

  /** The page follows a link; answers whether the window would have gone there. */
  follows(url: string, by: 'will-frame-navigate' | 'will-redirect' = 'will-frame-navigate'): boolean {
    return this.emitPreventable(by, { url })
  }

  /** The page opens a new window; answers whether one would have come. */
  opens(url: string): boolean {
    return this.openHandler!({ url }).action !== 'deny'
  }

  attachesWebview(): boolean {
    return this.emitPreventable('will-attach-webview', {})
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
  readonly options: {
    x: number
    y: number
    width: number
    height: number
    webPreferences: Record<string, unknown>
  }
  bounds: { x: number; y: number; width: number; height: number }
  visible = false
  focused = 0
  minimized = false
  maximized = false

  constructor(options: FakeWindow['options']) {
    super()
    this.options = options
    const { x, y, width, height } = options
    this.bounds = { x, y, width, height }
  }

  async loadURL(url: string): Promise<void> {
    this.loaded.push(url)
    this.emit('ready-to-show')
  }
  show(): void {
    this.visible = true
  }
  focus(): void {
    this.focused++
  }
  isMinimized(): boolean {
    return this.minimized
  }
  restore(): void {
    this.minimized = false
  }
  maximize(): void {
    this.maximized = true
  }
  isMaximized(): boolean {
    return this.maximized
  }
  getNormalBounds(): FakeWindow['bounds'] {
    return this.bounds
  }
  /** The person closes the window. */
  close(): void {
    this.emit('close', {})
    this.emit('closed')
  }
}

export class FakeServerProcess extends EventEmitter {
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly heard: unknown[] = []
  killed = false
  private readonly obedient: boolean

  constructor(obedient: boolean) {
    super()
    this.obedient = obedient
  }

  postMessage(message: unknown): void {
    this.heard.push(message)
  }
  kill(): boolean {
    this.killed = true
    if (this.obedient) queueMicrotask(() => this.emit('exit', 0))
    return true
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
  private readonly hasLock: boolean

  constructor(userData: string, hasLock: boolean) {
    super()
    this.userData = userData
    this.hasLock = hasLock
  }
  requestSingleInstanceLock(): boolean {
    return this.hasLock
  }
  async whenReady(): Promise<void> {}
  getPath(): string {
    return this.userData
  }
  getVersion(): string {
    return '0.1.0'
  }
  /** As the real one: asks "before-quit", and quits only where nobody prevents it. */
  quit(): void {
    let prevented = false
    this.emit('before-quit', { preventDefault: () => (prevented = true) })
    if (!prevented) this.quits++
  }
}

class FakeTimer implements Timer {
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
  /** Lets time pass; whatever falls due runs in its order. */
  pass(milliseconds: number): void {
    const until = this.time + milliseconds
    for (;;) {
      const next = this.waiting.filter((entry) => entry.at <= until).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      this.waiting = this.waiting.filter((entry) => entry !== next)
      this.time = next.at
      next.run()
    }
    this.time = until
  }
}

export interface FakeOptions {
  userData: string
  hasLock?: boolean
  /** Whether the keychain can be used, and on Linux by which store. */
  keychain?: { available: boolean; backend: string }
  screens?: { x: number; y: number; width: number; height: number }[]
  /** A server that does not end when it is asked to. */
  stubbornServer?: boolean
}

/** Makes a machine with Electron on it. What happened is in the fields; `electron` is what main is given. */
export function fakeElectron(options: FakeOptions) {
  const { keychain = { available: true, backend: 'gnome_libsecret' } } = options
  const screens = options.screens ?? [{ x: 0, y: 0, width: 1920, height: 1080 }]
  const app = new FakeApp(options.userData, options.hasLock ?? true)
  const timer = new FakeTimer()
  const windows: FakeWindow[] = []
  const servers: FakeServerProcess[] = []
  const browser: string[] = []
  const handlers = new Map<string, Handler>()
  const permission: {
    request?: (
      contents: null,
      permission: string,
      answer: (granted: boolean) => void,
      details: object,
    ) => void
    check?: (contents: null, permission: string, origin: string) => boolean
    device?: () => boolean
  } = {}
  let menu: { id?: string; submenu?: unknown; click?: () => void }[] = []

  const electron = {
    app,
    BrowserWindow: class extends FakeWindow {
      constructor(windowOptions: FakeWindow['options']) {
        super(windowOptions)
        windows.push(this)
      }
    },
    utilityProcess: {
      fork: () => {
        const server = new FakeServerProcess(!options.stubbornServer)
        servers.push(server)
        return server
      },
    },
    ipcMain: { handle: (channel: string, handler: Handler) => void handlers.set(channel, handler) },
    safeStorage: {
      isEncryptionAvailable: () => keychain.available,
      getSelectedStorageBackend: () => keychain.backend,
      encryptString: (text: string) => Buffer.from(text, 'utf8').map((byte) => byte ^ 0x5a),
      decryptString: (sealed: Buffer) => Buffer.from(sealed.map((byte) => byte ^ 0x5a)).toString('utf8'),
    },
    session: {
      defaultSession: {
        setPermissionRequestHandler: (handler: typeof permission.request) => (permission.request = handler),
        setPermissionCheckHandler: (handler: typeof permission.check) => (permission.check = handler),
        setDevicePermissionHandler: (handler: typeof permission.device) => (permission.device = handler),
      },
    },
    shell: { openExternal: async (url: string) => void browser.push(url) },
    dialog: { showOpenDialog: async () => ({ canceled: false, filePaths: ['/home/person/org'] }) },
    Menu: {
      buildFromTemplate: (template: typeof menu) => template,
      setApplicationMenu: (template: typeof menu) => void (menu = template),
    },
    screen: {
      getPrimaryDisplay: () => ({ id: 0, workArea: screens[0]! }),
      getAllDisplays: () => screens.map((workArea, id) => ({ id, workArea })),
    },
  }

  return {
    electron: electron as unknown as Electron,
    app,
    timer,
    windows,
    servers,
    browser,
    get window() {
      return windows.at(-1)!
    },
    get server() {
      return servers.at(-1)!
    },
    /** Another start of the application hands over to this one. */
    secondInstance: () => void app.emit('second-instance'),
    /** A frame asks over IPC, as ipcRenderer.invoke would. */
    async invoke(channel: string, ask: unknown, frame: { url: string; parent: object | null } | null) {
      const handler = handlers.get(channel)
      if (!handler) throw new Error(`Nobody handles ${channel}.`)
      return handler({ senderFrame: frame }, ask)
    },
    /** A page asks for a permission in both ways; true only where both grant it. */
    asks(name: string, url: string): boolean {
      let granted = false
      permission.request!(null, name, (answer) => (granted = answer), { requestingUrl: url })
      return granted && permission.check!(null, name, new URL(url).origin)
    },
    asksForDevice: () => permission.device!(),
    /** The person chooses a command of the menu. */
    choose(id: string): void {
      const items = menu.flatMap((top) => (Array.isArray(top.submenu) ? (top.submenu as typeof menu) : []))
      items.find((item) => item.id === id)!.click!()
    },
  }
}

export type FakeMachine = ReturnType<typeof fakeElectron>
