// The messages between the studio's page and the desktop process: types only, shared with the renderer.
import type { CommandId } from '../renderer/frame/commands.ts'

export type { CommandId }

/** Calls from the page to the desktop process, by channel. */
export interface IpcCalls {
  /** The version and the platform of this desktop. */
  'desktop/about': { ask: undefined; answer: { version: string; electron: string; platform: string } }
  /** Where secrets of remotes are kept, or why they are not. */
  'keychain/status': { ask: undefined; answer: KeychainStatus }
  /** Asks the user, in a dialog of the operating system, whether a file can keep what no keychain can. */
  'keychain/choose-file': { ask: undefined; answer: KeychainStatus }
  /** Which commands are unavailable now; the native menu disables them. */
  'menu/unavailable': { ask: { commands: CommandId[] }; answer: undefined }
}

export type IpcChannel = keyof IpcCalls

/** Messages from the desktop process to the page, by channel. */
export interface IpcEvents {
  /** The user chose a command in the native menu. */
  'menu/command': CommandId
  /** A link or a second start requests a URL in the studio, such as `/changes`. */
  'studio/go': string
}

export type KeychainStatus =
  | { kept: 'keychain' }
  /** A file that only its owner can read, not encrypted, as the user chose. */
  | { kept: 'file'; path: string }
  /** `path` is the file that the user could choose. */
  | { kept: 'nowhere'; reason: string; path: string }

/** What the preload script puts on `window.almanac`. Absent in the browser studio. */
export interface DesktopBridge {
  call<K extends IpcChannel>(channel: K, ask: IpcCalls[K]['ask']): Promise<IpcCalls[K]['answer']>
  /** Listens to the desktop process; returns the function that stops listening. */
  on<K extends keyof IpcEvents>(channel: K, listener: (value: IpcEvents[K]) => void): () => void
}
