// The start of the desktop in order: one instance, guards, keychain, server, calls, menu, window. Decisions are in
// decisions/.
import { basename, join } from 'node:path'
import { parseStartRequest, type StartRequest } from './decisions/start-arguments.ts'
import { addressOfLink } from './decisions/studio-address.ts'
import { createDesktopState } from './desktop-state.ts'
import type { Electron, Timer } from './electron.ts'
import { guardPages } from './guard.ts'
import { handleIpcCalls } from './ipc.ts'
import type { CommandId } from './ipc-map.ts'
import { systemKeychain } from './keychain.ts'
import { installMenu } from './menu.ts'
import { remoteSecrets } from './remote-secrets.ts'
import { serverRunner, type ServerState } from './server-runner.ts'
import type { Status } from './status-page.ts'
import { studioWindows } from './studio-windows.ts'
import { loadVaultKey } from './vault-key.ts'

/** The folders of the built parts and of the user's data. */
export interface DesktopPaths {
  /** Root of the installed application. */
  root: string
  preload: string
  serverProcess: string
  /** Folder of the org that opens by default; the sample is created there at the first start. */
  sample: string
  platform: NodeJS.Platform
}

/** Starts the desktop. Resolves once the window is open and the start of the server has been requested. */
export async function startDesktop(
  electron: Electron,
  timer: Timer,
  places: DesktopPaths,
  wish: StartRequest,
): Promise<void> {
  const { app, dialog, shell } = electron
  // A second start passes its arguments on and quits.
  if (!app.requestSingleInstanceLock({ ...wish })) return app.quit()

  let origin: string | null = null
  let leaving = false
  const unavailable = new Map<number, ReadonlySet<CommandId>>()

  let openLink = (link: string): void => {
    wish = { ...wish, address: addressOfLink(link) ?? wish.address }
  }
  app.on('open-url', (event, link) => {
    event.preventDefault()
    openLink(link)
  })
  app.on('second-instance', (_event, _argv, _directory, handed) => {
    windows.focus()
    void grant(parseStartRequest(handed))
  })
  await app.whenReady()

  const mine = (name: string): string => join(app.getPath('userData'), name)
  const memory = createDesktopState(mine('desktop.json'))
  let org = wish.org ?? memory.org() ?? places.sample

  const keychain = systemKeychain(electron, places.platform)
  const secrets = remoteSecrets(keychain, mine('remote-secrets.json'), () => org)
  const server = serverRunner(electron, timer, places.serverProcess, {
    startMessage: async () => ({
      kind: 'start',
      org,
      root: places.root,
      port: memory.port(org),
      sample: org === places.sample,
      vaultKey: await loadVaultKey(keychain, mine('vault-key.json')),
    }),
    onStateChange: handleState,
    answerCustody: secrets.reply,
  })
  const windows = studioWindows(electron, timer, {
    stateFile: mine('window.json'),
    preload: places.preload,
    waitingStatus: () => ({ title: `Opening ${basename(org)}`, text: [org] }),
    onChange: allowCommands,
    onCrashLoop: (window, reason) =>
      window.show({
        title: 'The page keeps crashing',
        text: [`The window’s page crashed several times (${reason}). ${stays(org)}`],
        actions: ['try-again', 'quit'],
      }),
  })
  guardPages(electron, {
    origin: () => origin,
    onAction: (action) =>
      ({ 'try-again': tryAgain, 'open-folder': showFolder, quit: () => app.quit() })[action](),
  })
  const menu = installMenu(electron, places.platform, {
    command: (id) => windows.send('menu/command', id),
    newWindow: () => windows.open(),
    openOrg: () => void chooseOrg(),
    showFolder,
  })
  handleIpcCalls(
    electron,
    {
      'desktop/about': () => ({
        version: app.getVersion(),
        electron: process.versions.electron ?? '',
        platform: places.platform,
      }),
      'keychain/status': () => secrets.status(),
      'keychain/choose-file': chooseFile,
      'menu/unavailable': ({ commands }, sender) => {
        if (!unavailable.has(sender.id)) sender.once('destroyed', () => unavailable.delete(sender.id))
        unavailable.set(sender.id, new Set(commands))
        allowCommands()
        return undefined
      },
    },
    () => origin,
  )
  openLink = (link) => {
    const address = addressOfLink(link)
    windows.focus()
    if (address !== null) windows.navigate(address)
  }

  if (wish.address !== null) windows.navigate(wish.address)
  windows.open()
  server.start()

  app.on('activate', () => windows.focus())
  app.on('window-all-closed', () => places.platform !== 'darwin' && app.quit())
  app.on('before-quit', (event) => {
    if (leaving) return
    // The server closes its files before the application quits.
    event.preventDefault()
    leaving = true
    void server.stop().finally(() => app.quit())
  })

  function handleState(state: ServerState): void {
    origin = state.kind === 'ready' ? new URL(state.listening).origin : null
    if (state.kind === 'ready') {
      memory.recordOpened(org, Number(new URL(state.listening).port))
      windows.serverReady({ origin: new URL(state.listening).origin, link: state.open })
    } else if (state.kind === 'failed') windows.serverFailed(failure(org, state.reason, state.log))
    else if (state.kind !== 'stopped') windows.serverUnavailable()
    allowCommands()
  }

  function allowCommands(): void {
    const front = windows.front()
    menu.setAvailability(
      origin !== null && front?.isInStudio === true,
      (front && unavailable.get(front.window.webContents.id)) ?? new Set(),
    )
  }

  function tryAgain(): void {
    if (server.state.kind === 'failed') server.retry()
    else if (server.state.kind === 'ready') handleState(server.state)
  }

  function showFolder(): void {
    void shell.openPath(org).then((fault) => {
      if (fault !== '') dialog.showErrorBox('The folder could not be opened', `${org}: ${fault}`)
    })
  }

  /** Carries out a second start: goes to a URL in the studio, or, if the user agrees, opens another org. */
  async function grant({ org: folder, address }: StartRequest): Promise<void> {
    if (folder !== null && folder !== org) {
      const { response } = await dialog.showMessageBox({
        type: 'question',
        message: `Open ${basename(folder)} instead of ${basename(org)}?`,
        detail: `Almanac opens one org at a time. ${org} is open, and you asked to open ${folder}.`,
        buttons: ['Open it', 'Stay here'],
        defaultId: 0,
        cancelId: 1,
      })
      if (response === 0) await changeOrg(folder, address ?? '/')
    } else if (address !== null) windows.navigate(address)
  }

  async function chooseOrg(): Promise<void> {
    const { filePaths } = await dialog.showOpenDialog({
      title: 'Open another org',
      buttonLabel: 'Open',
      defaultPath: org,
      properties: ['openDirectory'],
    })
    if (filePaths[0] !== undefined && filePaths[0] !== org) await changeOrg(filePaths[0], '/')
  }

  async function changeOrg(folder: string, address: string): Promise<void> {
    await server.stop()
    org = folder
    windows.showNewOrg(address)
    server.start()
  }

  /** Only a user's click in a dialog of main allows an unencrypted secret; the page can only request the dialog. */
  async function chooseFile() {
    const status = await secrets.status()
    if (status.kept !== 'nowhere') return status
    const { response } = await dialog.showMessageBox({
      type: 'warning',
      message: 'Store the secrets of remotes in a file?',
      detail: `${status.reason}\n\nThey can be stored in ${status.path} instead. Only your account can read that file, but it is not encrypted: anyone who can read your disk or a backup of it can read them too.`,
      buttons: ['Do not store them', 'Store them in the file'],
      defaultId: 0,
      cancelId: 0,
    })
    return response === 1 ? secrets.chooseFile() : status
  }
}

function stays(org: string): string {
  return `Your data is in ${org}; nothing was removed from it.`
}

function failure(org: string, reason: string, log: readonly string[]): Status {
  return {
    title: 'The studio could not be opened',
    text: [...reason.split('\n'), stays(org)],
    log,
    actions: ['try-again', 'open-folder', 'quit'],
  }
}
