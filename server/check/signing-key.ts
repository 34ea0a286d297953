// The public signing key as an org records it on creation, so that a changed key file is detected.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { OrgStore } from '../ports/org-store.ts'
import type { SigningKeys, StoredSigningKeys } from '../ports/signing-keys.ts'

export const signingKeySetting = 'signing_key'

/** Hexadecimal. */
export function signingKeyText(keys: SigningKeys): string {
  return Buffer.from(keys.publicKey()).toString('hex')
}

/**
 * A new key would sign evidence that nobody can compare with what the org has signed before.
 * @throws AlmanacError `storage.damaged` if the file with the key of the org is missing, or does not contain that key
 */
export function requireSigningKey(store: Pick<OrgStore, 'read'>, keys: StoredSigningKeys): void {
  const recorded = store.read((reader) => reader.settings.get(signingKeySetting))
  if (recorded === undefined) return
  const fault = faultOf(keys, recorded)
  if (fault === null) return
  throw new AlmanacError(
    'storage.damaged',
    `The file signing.key of the org ${fault}. Restore it from a backup: it signs evidence and seals cursors.`,
  )
}

function faultOf(keys: StoredSigningKeys, recorded: unknown): string | null {
  try {
    if (!keys.exists()) return 'is missing'
    return signingKeyText(keys) === recorded ? null : 'contains a different key than the org was created with'
  } catch {
    return 'cannot be read, or does not contain a key'
  }
}
