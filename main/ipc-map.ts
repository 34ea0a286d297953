// What the studio's page and the desktop process may say to one another: types only, shared with the renderer.

/** Calls from the page to the desktop process, by channel. */
export interface IpcCalls {
  /** Which desktop this is. */
  'desktop/about': { ask: undefined; answer: { version: string; electron: string; platform: string } }
  /** Whether keys are kept in the keychain of the operating system, and if not, why. */
  'keychain/status': { ask: undefined; answer: KeychainStatus }
  /** Opens a web address in the person's browser. Answers false for an address that is not a web address. */
  'link/open': { ask: { url: string }; answer: boolean }
  /** Asks for a folder by the dialog of the operating system. Null where the person cancelled. */
  'folder/choose': { ask: { title: string }; answer: string | null }
}

export type IpcChannel = keyof IpcCalls

export type KeychainStatus = { kept: true } | { kept: false; reason: string }

/** Commands of the native menu that the page carries out. The renderer's command list uses the same words. */
export type MenuCommand =
  | 'new-draft'
  | 'review-changes'
  | 'apply'
  | 'go-explorer'
  | 'go-changes'
  | 'go-playground'
  | 'find'
  | 'command-palette'
  | 'shortcuts'

/** What the preload script puts on `window.almanac`. Absent in the browser studio. */
export interface DesktopBridge {
  call<K extends IpcChannel>(channel: K, ask: IpcCalls[K]['ask']): Promise<IpcCalls[K]['answer']>
  /** Listens to the native menu; answers the function that stops listening. */
  onMenuCommand(listener: (command: MenuCommand) => void): () => void
}
