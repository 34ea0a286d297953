/** Content identity: the digest of a component and of a whole set. 2.6; completions 3. */
import { canonicalJson, type JsonValue } from './canonical.ts'
import type { Sha256 } from './sha256.ts'

declare const digestBrand: unique symbol

/** `jcs1:sha256:<64 hexadecimal digits>`. `jcs1` names the recipe, so that it can change without moving old digests. */
export type Digest = string & { readonly [digestBrand]: 'Digest' }

const PREFIX = 'jcs1:sha256:'
const DIGEST = /^jcs1:sha256:[0-9a-f]{64}$/

/** The digest of a value that is already normalised to its declared types. Throws where it is not JSON. */
export function digestOf(value: JsonValue, sha256: Sha256): Digest {
  return (PREFIX + sha256(canonicalJson(value))) as Digest
}

/** The configuration digest of a set: over its definition's digest and those of its entries, sorted by entry key. */
export function setDigest(definition: Digest, entriesSortedByKey: readonly Digest[], sha256: Sha256): Digest {
  return setDigestOfText(definition, JSON.stringify(entriesSortedByKey), sha256)
}

/**
 * The same over the JSON array of the entries' digests, without white space, as a store can give it for a hundred
 * thousand at once: digests hold nothing that JSON writes in two ways, so that the text is canonical.
 */
export function setDigestOfText(definition: Digest, entriesSortedByKey: string, sha256: Sha256): Digest {
  return (PREFIX + sha256(`{"definition":"${definition}","entries":${entriesSortedByKey}}`)) as Digest
}

/**
 * The digest under which a change request is known to everybody: over the digest of its change list and a secret salt, so
 * that nobody can find out by guesses what the list changes where it is hidden from them.
 */
export function saltedDigest(changeDigest: Digest, salt: string, sha256: Sha256): Digest {
  return digestOf({ changeDigest, salt }, sha256)
}

/** Whether a text is written as a digest of this recipe. */
export function isDigest(text: string): text is Digest {
  return DIGEST.test(text)
}

/** The text as a digest, or null when it is not written as one. */
export function parseDigest(text: string): Digest | null {
  return isDigest(text) ? text : null
}

/** The first eight digits in two groups, as people compare them: `a41c 09e7`. */
export function shortDigest(digest: Digest): string {
  const hex = digest.slice(PREFIX.length)
  return `${hex.slice(0, 4)} ${hex.slice(4, 8)}`
}
