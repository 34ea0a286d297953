// Custody of the key that seals stored credentials: in the keychain of the operating system, or nowhere.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { decideCustody } from './decisions/keychain-policy.ts'
import type { Electron } from './electron.ts'
import type { KeychainStatus } from './ipc-map.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'

const keyBytes = 32

export interface Keychain {
  status(): KeychainStatus
  /** The key in base64, made at first use; null where no keychain keeps it. Throws where a kept key cannot be opened. */
  vaultKey(): string | null
}

/** @param path file that holds the sealed key; only the keychain of this person opens it */
export function keychain(electron: Pick<Electron, 'safeStorage'>, platform: string, path: string): Keychain {
  const { safeStorage } = electron

  function status(): KeychainStatus {
    const backend = platform === 'linux' ? safeStorage.getSelectedStorageBackend() : undefined
    return decideCustody(safeStorage.isEncryptionAvailable(), platform, backend)
  }

  return {
    status,
    vaultKey() {
      if (!status().kept) return null
      if (existsSync(path)) return safeStorage.decryptString(Buffer.from(sealedKey(path), 'base64'))
      const key = randomBytes(keyBytes).toString('base64')
      writeJsonFile(path, { sealed: safeStorage.encryptString(key).toString('base64') })
      return key
    },
  }
}

/** A damaged file is not replaced by a new key: with the old one lost, what it sealed would be lost in silence. */
function sealedKey(path: string): string {
  const content = readJsonFile(path)
  const sealed =
    typeof content === 'object' && content !== null && 'sealed' in content ? content.sealed : undefined
  if (typeof sealed === 'string') return sealed
  throw new Error(
    `The key file ${path} is damaged. Restore it from a backup, or remove it and enter the credentials anew.`,
  )
}
