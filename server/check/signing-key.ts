// The public signing key as an org records it on creation, so that a changed key file is detected.
import type { SigningKeys } from '../ports/signing-keys.ts'

export const signingKeySetting = 'signing_key'

/** Hexadecimal. */
export function signingKeyText(keys: SigningKeys): string {
  return Buffer.from(keys.publicKey()).toString('hex')
}
