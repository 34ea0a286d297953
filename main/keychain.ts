// The keychain of the operating system: seals a text so that only this person on this machine opens it.
import { keychainRefusal } from './decisions/keychain-policy.ts'
import type { Electron } from './electron.ts'

/** A text that was opened, and whether it should be sealed anew, since the keychain has a newer key. */
export interface Opened {
  text: string
  sealAgain: boolean
}

export interface Keychain {
  /** Why it holds nothing; null where it can. */
  refusal(): Promise<string | null>
  /** The sealed text in base64. */
  seal(text: string): Promise<string>
  /** @throws Error in plain words where the keychain does not open it */
  open(sealed: string): Promise<Opened>
}

export function systemKeychain({ safeStorage }: Pick<Electron, 'safeStorage'>, platform: string): Keychain {
  return {
    async refusal() {
      const available = await safeStorage.isAsyncEncryptionAvailable().catch(() => false)
      if (!available || platform !== 'linux') return keychainRefusal({ platform, available })
      const sealed = await safeStorage.encryptStringAsync('mark').catch(() => null)
      return keychainRefusal({
        platform,
        available,
        backend: safeStorage.getSelectedStorageBackend(),
        mark: sealed?.subarray(0, 3).toString('latin1'),
      })
    },
    seal: async (text) => (await safeStorage.encryptStringAsync(text)).toString('base64'),
    async open(sealed) {
      try {
        const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(
          Buffer.from(sealed, 'base64'),
        )
        return { text: result, sealAgain: shouldReEncrypt }
      } catch {
        throw new Error(
          'The keychain does not open what it sealed. It may be locked, or belong to another account or machine. Unlock it and try again.',
        )
      }
    },
  }
}
