/** Content identity: the digest of a component and of a whole set. See docs/reference/bindings-and-evidence.md. */
import { canonicalJson, type JsonValue } from './canonical.ts'
import type { Sha256 } from './sha256.ts'

declare const digestBrand: unique symbol

/**
 * `jcs1:sha256:<64 hexadecimal digits>`. `jcs1` names the recipe, so that the recipe can change without invalidating
 * old digests.
 */
export type Digest = string & { readonly [digestBrand]: 'Digest' }

const PREFIX = 'jcs1:sha256:'
const DIGEST = /^jcs1:sha256:[0-9a-f]{64}$/

/** Returns the digest of a value that is already normalised to its declared types. Throws if it is not JSON. */
export function digestOf(value: JsonValue, sha256: Sha256): Digest {
  return (PREFIX + sha256(canonicalJson(value))) as Digest
}

/** Returns the digest of a set, over the digests of its definition and of its entries, sorted by entry key. */
export function setDigest(definition: Digest, entriesSortedByKey: readonly Digest[], sha256: Sha256): Digest {
  return setDigestOfText(definition, JSON.stringify(entriesSortedByKey), sha256)
}

/**
 * The same over the JSON array of the entries' digests, without whitespace, which a store can build for a hundred
 * thousand entries at once. JSON can write a digest in only one way, so the text is canonical.
 */
export function setDigestOfText(definition: Digest, entriesSortedByKey: string, sha256: Sha256): Digest {
  return (PREFIX + sha256(`{"definition":"${definition}","entries":${entriesSortedByKey}}`)) as Digest
}

/**
 * Returns the public digest of a change request, over the digest of its change list and a secret salt, so that hidden
 * changes cannot be found out by guessing.
 */
export function saltedDigest(changeDigest: Digest, salt: string, sha256: Sha256): Digest {
  return digestOf({ changeDigest, salt }, sha256)
}

/** Reports whether a text has the format of a digest. */
export function isDigest(text: string): text is Digest {
  return DIGEST.test(text)
}

/** Returns the text as a digest, or null if it does not have the format. */
export function parseDigest(text: string): Digest | null {
  return isDigest(text) ? text : null
}

/** Returns the first eight digits in two groups, for people to compare: `a41c 09e7`. */
export function shortDigest(digest: Digest): string {
  const hex = digest.slice(PREFIX.length)
  return `${hex.slice(0, 4)} ${hex.slice(4, 8)}`
}
