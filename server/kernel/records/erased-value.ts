// The text that an erasure leaves in place of a value: a salted hash, so that equal values of the record stay equal.
const prefix = 'erased:'
const whole = /^erased:[\w-]{22}$/
const part = /erased:[\w-]{22}/

/** @param hash base64url, of 22 characters at least */
export const erasedText = (hash: string): string => prefix + hash.slice(0, 22)

/** Whether a value was left by an erasure. */
export const isErased = (value: unknown): boolean => typeof value === 'string' && whole.test(value)

/** Whether a value was left by an erasure, or computed from one that was. */
export const containsErased = (value: unknown): boolean => typeof value === 'string' && part.test(value)
