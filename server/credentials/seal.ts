// Encrypts one secret with AES-256-GCM, bound to where it belongs (docs/reference/credentials.md).
import type { Randomness } from '../ports/randomness.ts'
import type { SecretOwner } from '../ports/vault.ts'
import { decryptBound, encryptBound } from '../system/index.ts'

export interface SealedSlot {
  slot: string
  /** Grows with every write of a secret of the owner. */
  version: number
  /** The id of the data key. */
  key: string
  /** Base64: nonce, ciphertext and tag. */
  sealed: string
}

/** What a ciphertext is bound to: moved to any other place, it does not open. */
export interface SecretPlace extends SecretOwner {
  lineage: string
  slot: string
  version: number
}

export interface DataKey {
  id: string
  /** 32 bytes. */
  bytes: Buffer
}

export function sealSecret(
  { id, bytes }: DataKey,
  place: SecretPlace,
  secret: string,
  random: Randomness,
): SealedSlot {
  const sealed = encryptBound(bytes, Buffer.from(secret), boundTo(id, place), random)
  const { slot, version } = place
  return { slot, version, key: id, sealed: sealed.toString('base64') }
}

/** Null if the ciphertext was altered, or belongs to a different place or key. */
export function openSecret(key: DataKey, place: SecretPlace, sealed: Sealed): string | null {
  const opened = openBytes(key, place, sealed)
  if (opened === null) return null
  const secret = opened.toString('utf8')
  opened.fill(0)
  return secret
}

/** Whether it opens at this place. */
export function isSealedAt(key: DataKey, place: SecretPlace, sealed: Sealed): boolean {
  const opened = openBytes(key, place, sealed)
  opened?.fill(0)
  return opened !== null
}

type Sealed = Pick<SealedSlot, 'sealed'>

const openBytes = ({ id, bytes }: DataKey, place: SecretPlace, { sealed }: Sealed): Buffer | null =>
  decryptBound(bytes, Buffer.from(sealed, 'base64'), boundTo(id, place))

function boundTo(
  key: string,
  { lineage, kind, credential, principal, user, slot, version }: SecretPlace,
): Buffer {
  return Buffer.from(
    JSON.stringify(['almanac vault 1', lineage, kind, credential, principal, user, slot, version, key]),
  )
}
