// Encrypts one secret with AES-256-GCM, bound to where it belongs (docs/reference/credentials.md).
import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Randomness } from '../ports/randomness.ts'
import type { SecretOwner } from '../ports/vault.ts'

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

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export function sealSecret(
  { id, bytes }: DataKey,
  place: SecretPlace,
  secret: string,
  random: Randomness,
): SealedSlot {
  const nonce = random.bytes(nonceBytes)
  const sealing = createCipheriv(cipher, bytes, nonce)
  sealing.setAAD(boundTo(id, place))
  const sealed = Buffer.concat([nonce, sealing.update(secret, 'utf8'), sealing.final(), sealing.getAuthTag()])
  const { slot, version } = place
  return { slot, version, key: id, sealed: sealed.toString('base64') }
}

/** Null if the ciphertext was altered, or belongs to a different place or key. */
export function openSecret(
  { id, bytes }: DataKey,
  place: SecretPlace,
  { sealed }: Pick<SealedSlot, 'sealed'>,
): string | null {
  const stored = Buffer.from(sealed, 'base64')
  if (stored.length < nonceBytes + tagBytes) return null
  const opening = createDecipheriv(cipher, bytes, stored.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  opening.setAAD(boundTo(id, place))
  opening.setAuthTag(stored.subarray(-tagBytes))
  try {
    const opened = Buffer.concat([opening.update(stored.subarray(nonceBytes, -tagBytes)), opening.final()])
    const secret = opened.toString('utf8')
    opened.fill(0)
    return secret
  } catch {
    return null
  }
}

function boundTo(
  key: string,
  { lineage, kind, credential, principal, user, slot, version }: SecretPlace,
): Buffer {
  return Buffer.from(
    JSON.stringify(['almanac vault 1', lineage, kind, credential, principal, user, slot, version, key]),
  )
}
