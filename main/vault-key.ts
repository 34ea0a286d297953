// The key that seals the org's stored credentials: created once and sealed by the keychain, otherwise not created.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { z } from 'zod'
import { readJsonFile, writeJsonFile } from './json-file.ts'
import type { Keychain } from './keychain.ts'

const keyBytes = 32
const content = z.object({ sealed: z.string() })

/**
 * Returns the key in base64, created at first use; null if no keychain keeps it.
 * @param path file that holds the sealed key
 * @throws Error if a stored key cannot be opened: with a new key, what the old one sealed would be lost silently
 */
export async function loadVaultKey(keychain: Keychain, path: string): Promise<string | null> {
  if ((await keychain.refusal()) !== null) return null
  if (!existsSync(path)) {
    const key = randomBytes(keyBytes).toString('base64')
    writeJsonFile(path, { sealed: await keychain.seal(key) })
    return key
  }
  const storedContent = content.safeParse(readJsonFile(path)).data
  if (storedContent === undefined) throw new Error(damagedText(path))
  const { text, needsReseal } = await keychain.open(storedContent.sealed)
  if (needsReseal) writeJsonFile(path, { sealed: await keychain.seal(text) })
  return text
}

function damagedText(path: string): string {
  return `The key file ${path} is damaged. Restore it from a backup, or remove it and enter the credentials again.`
}
