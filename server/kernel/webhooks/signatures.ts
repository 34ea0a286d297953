// The signatures of a header: hexadecimal digits or base64, each with or without its version, as in `sha256=…`, `v0=…` and
// `v1,…`. Text of any other form is not a signature, and never a fault.
import { base64Bytes, hexBytes } from './text-bytes.ts'

/** Bytes of an HMAC with SHA-256. */
const signatureBytes = 32

const version = /^(?:sha256|v\d{1,3})=(?=.)/i

/** @param values of the header, each of which can list several signatures */
export function signaturesOf(values: readonly string[]): Uint8Array[] {
  return values
    .flatMap((value) => value.split(/[\s,;]+/))
    .map((text) => signatureOf(text.replace(version, '')))
    .filter((bytes) => bytes !== null)
}

function signatureOf(text: string): Uint8Array | null {
  const bytes = text.length === 2 * signatureBytes ? hexBytes(text) : base64Bytes(text)
  return bytes?.length === signatureBytes ? bytes : null
}

/** Takes the same time if they differ in the first byte or in the last one. */
export function isSameSignature(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false
  let difference = 0
  for (const [at, byte] of one.entries()) difference |= byte ^ other[at]!
  return difference === 0
}
