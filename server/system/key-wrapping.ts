// Encrypts a data key with a key of 32 bytes: AES-256-GCM, bound to what the data key belongs to.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Randomness } from '../ports/randomness.ts'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export function wrapKey(
  key: Uint8Array,
  dataKey: Uint8Array,
  context: Uint8Array,
  random: Randomness,
): Uint8Array {
  const nonce = random.bytes(nonceBytes)
  const wrapping = createCipheriv(cipher, key, nonce)
  wrapping.setAAD(context)
  return Buffer.concat([nonce, wrapping.update(dataKey), wrapping.final(), wrapping.getAuthTag()])
}

/** Null if it was wrapped with a different key or for a different context, or was altered. */
export function unwrapKey(key: Uint8Array, wrapped: Uint8Array, context: Uint8Array): Uint8Array | null {
  if (wrapped.length < nonceBytes + tagBytes) return null
  const opening = createDecipheriv(cipher, key, wrapped.subarray(0, nonceBytes), { authTagLength: tagBytes })
  opening.setAAD(context)
  opening.setAuthTag(wrapped.subarray(-tagBytes))
  try {
    return Buffer.concat([opening.update(wrapped.subarray(nonceBytes, -tagBytes)), opening.final()])
  } catch {
    return null
  }
}
