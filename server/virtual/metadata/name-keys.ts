// Keys and labels from names of a source: `OrderDate` becomes `order_date` and `Order date`.
import { reservedNames } from '#kernel/components/reserved-names.ts'

const mostCharacters = 80

const wordsOf = (name: string): string[] =>
  name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** @param taken keys that are in use; the new one is added */
export function keyOfName(name: string, taken: Set<string>): string {
  const plain = wordsOf(name.normalize('NFKD').replace(/\p{M}/gu, ''))
    .join('_')
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '')
  const begun = /^[a-z]/.test(plain) ? plain : `field_${plain}`
  const short = begun.replace(/_+$/, '').slice(0, mostCharacters - 4)
  const base = reservedNames.has(short) ? `${short}_value` : short
  let key = base
  for (let n = 2; taken.has(key); n++) key = `${base}_${n}`
  taken.add(key)
  return key
}

export function labelOfName(name: string): string {
  const [first = name, ...rest] = wordsOf(name)
  const lower = (word: string): string => (/^\p{Lu}+$/u.test(word) ? word : word.toLowerCase())
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest.map(lower)].join(' ')
}
