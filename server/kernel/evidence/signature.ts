// Ed25519 over the RFC 8785 text of the bundle without its signature (docs/reference/bindings-and-evidence.md).
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson, type JsonValue } from '../change/canonical.ts'
import type { EvidenceBundle } from './bundle.ts'

/** Signs for an org without exposing the private key. */
export interface Signer {
  /** 32 bytes. */
  publicKey(): Uint8Array
  /** 64 bytes. */
  sign(message: Uint8Array): Uint8Array
}

/** Returns a signer for a private key of 32 bytes. */
export function createSigner(privateKey: Uint8Array): Signer {
  const publicKey = ed25519.getPublicKey(privateKey)
  return { publicKey: () => publicKey, sign: (message) => ed25519.sign(message, privateKey) }
}

/** Returns `sha256:<64 hexadecimal digits>` of a public key, which identifies a signer to people. */
export function fingerprintOf(publicKeyHex: string): string {
  return `sha256:${bytesToHex(sha256(hexToBytes(publicKeyHex)))}`
}

export function signBundle(
  bundle: Omit<EvidenceBundle, 'publicKey' | 'signature'>,
  signer: Signer,
): EvidenceBundle {
  const unsigned = { ...bundle, publicKey: bytesToHex(signer.publicKey()) }
  return { ...unsigned, signature: bytesToHex(signer.sign(messageOf(unsigned))) }
}

/** Verifies by strict RFC 8032: a signature has exactly one form. */
export function isSignatureValid(bundle: EvidenceBundle): boolean {
  const { signature, ...unsigned } = bundle
  try {
    return ed25519.verify(hexToBytes(signature), messageOf(unsigned), hexToBytes(bundle.publicKey), {
      zip215: false,
    })
  } catch {
    return false
  }
}

function messageOf(unsigned: Omit<EvidenceBundle, 'signature'>): Uint8Array {
  return utf8ToBytes(canonicalJson(unsigned as unknown as JsonValue))
}
