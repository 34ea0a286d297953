// What was typed and is not on the server yet, in this machine's own memory: it outlives the window (studio: "Nothing lost").
import { copyPlace } from './left-copies.ts'

export interface Unsaved {
  text: string
  /** What the server had when it was typed, and under which version. */
  base: string
  version: number
}

export function unsavedText(id: string) {
  const name = (): string => copyPlace(id)
  return {
    keep(unsaved: Unsaved): void {
      try {
        localStorage.setItem(name(), JSON.stringify(unsaved))
      } catch {
        // A full local store costs only the second copy; the server still gets the first.
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
