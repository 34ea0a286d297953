// The stored form of a random secret: its hash, without a salt, which a random secret does not need.
import { createHash } from 'node:crypto'

/** SHA-256 in lower-case hexadecimal digits. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
