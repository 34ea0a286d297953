// Encrypts bytes with a key of 32 bytes: AES-256-GCM, bound to the place that they belong to.
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import type { Randomness } from '../ports/randomness.ts'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Node takes longer to read the bytes of a key than to decrypt a secret. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>()

function keyObjectOf(key: Uint8Array): KeyObject {
  const known = keyObjects.get(key)
  if (known !== undefined) return known
  const made = createSecretKey(key)
  keyObjects.set(key, made)
  return made
}

/** Returns nonce, ciphertext and tag. @param place the same bytes are needed to decrypt */
export function encryptBound(
  key: Uint8Array,
  plain: Uint8Array,
  place: Uint8Array,
  random: Randomness,
): Buffer {
  const nonce = random.bytes(nonceBytes)
  const encrypting = createCipheriv(cipher, keyObjectOf(key), nonce)
  encrypting.setAAD(place)
  return Buffer.concat([nonce, encrypting.update(plain), encrypting.final(), encrypting.getAuthTag()])
}

/** Null if it was encrypted with a different key or for a different place, or was altered. */
export function decryptBound(key: Uint8Array, encrypted: Uint8Array, place: Uint8Array): Buffer | null {
  if (encrypted.length < nonceBytes + tagBytes) return null
  const decrypting = createDecipheriv(cipher, keyObjectOf(key), encrypted.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decrypting.setAAD(place)
  decrypting.setAuthTag(encrypted.subarray(-tagBytes))
  try {
    return Buffer.concat([decrypting.update(encrypted.subarray(nonceBytes, -tagBytes)), decrypting.final()])
  } catch {
    return null
  }
}
