// What the studio's page and the desktop process may say to one another: types only, shared with the renderer.
import type { CommandId } from '../renderer/frame/commands.ts'

export type { CommandId }

/** Calls from the page to the desktop process, by channel. */
export interface IpcCalls {
  /** Which desktop this is. */
  'desktop/about': { ask: undefined; answer: { version: string; electron: string; platform: string } }
  /** Where secrets of remotes are kept, and if nowhere, why. */
  'keychain/status': { ask: undefined; answer: KeychainStatus }
  /** Asks the person, in a dialog of the operating system, whether a file may keep what no keychain can. */
  'keychain/choose-file': { ask: undefined; answer: KeychainStatus }
  /** Which commands cannot be carried out now; the native menu shows them so. */
  'menu/unavailable': { ask: { commands: CommandId[] }; answer: undefined }
}

export type IpcChannel = keyof IpcCalls

/** Messages from the desktop process to the page, by channel. */
export interface IpcEvents {
  /** The person chose a command in the native menu. */
  'menu/command': CommandId
  /** A link or a second start asks for a place in the studio, as in `/changes`. */
  'studio/go': string
}

export type KeychainStatus =
  | { kept: 'keychain' }
  /** A file that only its owner can read, unsealed, as the person chose. */
  | { kept: 'file'; path: string }
  /** `path` is the file that the person could choose. */
  | { kept: 'nowhere'; reason: string; path: string }

/** What the preload script puts on `window.almanac`. Absent in the browser studio. */
export interface DesktopBridge {
  call<K extends IpcChannel>(channel: K, ask: IpcCalls[K]['ask']): Promise<IpcCalls[K]['answer']>
  /** Listens to the desktop process; answers the function that stops listening. */
  on<K extends keyof IpcEvents>(channel: K, listener: (value: IpcEvents[K]) => void): () => void
}
