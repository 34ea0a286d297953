// The part of Electron that main uses, as a type: the real one and the fake of the tests are both passed in.
import type * as electron from 'electron/main'
import type { shell } from 'electron'

export type Electron = Pick<
  typeof electron,
  | 'app'
  | 'BrowserWindow'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'safeStorage'
  | 'screen'
  | 'session'
  | 'utilityProcess'
> & { shell: typeof shell }

/** Time as main needs it: passed in, so that a test waits for nothing. */
export interface Timer {
  /** Milliseconds since some start. */
  now(): number
  /** Runs after so many milliseconds; answers the function that calls it off. */
  after(milliseconds: number, run: () => void): () => void
}
