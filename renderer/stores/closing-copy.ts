// What a window that closes has not written yet. The small store of the browser is written at once; the large one is not,
// and what a user types just before they load the page again would be lost.
import { backupKey } from './local-backup.ts'

const windowId = Math.random().toString(36).slice(2)

export function closingCopy<T>(name: string) {
  const prefix = (): string => backupKey(`${name}.closing.`)
  return {
    /**
     * @param waiting what is not written yet when the window closes; null for nothing
     * @param onReturn called if the browser shows the closed window again
     */
    onClose(waiting: () => T | null, onReturn: () => void): void {
      window.addEventListener('pagehide', () => {
        const copy = waiting()
        try {
          if (copy !== null) localStorage.setItem(prefix() + windowId, JSON.stringify(copy))
        } catch {
          // If the small store is full, the last edit is lost.
        }
      })
      window.addEventListener('pageshow', ({ persisted }) => {
        if (!persisted) return
        localStorage.removeItem(prefix() + windowId)
        onReturn()
      })
    },

    /** What closed windows have left; it is there once. */
    take(): T[] {
      try {
        const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix()))
        const texts = keys.map((key) => localStorage.getItem(key)!)
        for (const key of keys) localStorage.removeItem(key)
        return texts.map((text) => JSON.parse(text) as T)
      } catch {
        // This browser stores nothing.
        return []
      }
    },
  }
}
