// The part of Electron that main uses, as a type: both the real one and the fake of the tests have it.
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

/** Time as main needs it: passed in, so that no test has to wait. */
export interface Timer {
  /** Milliseconds since an arbitrary start. */
  now(): number
  /** Runs after so many milliseconds; returns the function that cancels it. */
  after(milliseconds: number, run: () => void): () => void
}
