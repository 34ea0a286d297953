// The digest of one component: RFC 8785 of its normalised envelope, then SHA-256
// (docs/reference/bindings-and-evidence.md).
import type { Component } from '../components/body-types.ts'
import type { JsonValue } from './canonical.ts'
import { digestOf, type Digest } from './digest.ts'
import type { Sha256 } from './sha256.ts'

/** `component` is parsed and normalised; hints for one apply are not part of it. */
export function componentDigest(component: Component, sha256: Sha256): Digest {
  const { type, key, label, body } = component
  return digestOf({ body, key, label, type } as unknown as JsonValue, sha256)
}
