// Typed text that is not on the server yet, stored on this machine: it survives the window.
import { backupKey } from './local-backup.ts'

export interface Unsaved {
  text: string
  /** The server's text and version when it was typed. */
  base: string
  version: number
}

export function unsavedText(id: string) {
  const name = (): string => backupKey(id)
  return {
    keep(unsaved: Unsaved): void {
      try {
        localStorage.setItem(name(), JSON.stringify(unsaved))
      } catch {
        // If the local store is full, only the second copy is lost; the server still gets the first.
      }
    },
    read(): Unsaved | null {
      try {
        return JSON.parse(localStorage.getItem(name()) ?? 'null') as Unsaved | null
      } catch {
        return null
      }
    },
    drop: (): void => localStorage.removeItem(name()),
  }
}
