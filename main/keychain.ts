// The keychain of the operating system: seals a text so that only this user on this machine can open it.
import { keychainRefusal } from './decisions/keychain-policy.ts'
import type { Electron } from './electron.ts'

/** A text that was opened, and whether it should be sealed again because the keychain has a newer key. */
export interface UnsealedText {
  text: string
  needsReseal: boolean
}

export interface Keychain {
  /** Why it cannot store a secret; null if it can. */
  refusal(): Promise<string | null>
  /** Returns the sealed text in base64. */
  seal(text: string): Promise<string>
  /** @throws Error with a message for the user if the keychain cannot open it */
  open(sealed: string): Promise<UnsealedText>
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
        sealPrefix: sealed?.subarray(0, 3).toString('latin1'),
      })
    },
    seal: async (text) => (await safeStorage.encryptStringAsync(text)).toString('base64'),
    async open(sealed) {
      try {
        const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(
          Buffer.from(sealed, 'base64'),
        )
        return { text: result, needsReseal: shouldReEncrypt }
      } catch {
        throw new Error(
          'The keychain cannot open this secret. It may be locked, or the secret may belong to another account or machine. Unlock it and try again.',
        )
      }
    },
  }
}
