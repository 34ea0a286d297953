// Slugs of imported entries: the same key and first day give the same slug on any machine.
import { maxKeyLength } from '../components/component.ts'
import { digestOf } from '../change/digest.ts'
import { nobleSha256 } from '../change/sha256.ts'

/** `GR-69` from 2007-01-01 → `gr_69_2007_01_01`; `GB-BFPO 57` → `gb_bfpo_57_…`. Always a valid key. */
export function slugOf(businessKey: string | null, from: string | null, scope: string): string {
  const parts = [businessKey, scope === 'org' ? null : scope, from].filter((part) => part !== null)
  const plain = parts
    .join('_')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  if (plain === '') return `k_${shortHash(parts.join('_'))}`
  const slug = /^[a-z]/.test(plain) ? plain : `k_${plain}`
  return slug.length <= maxKeyLength ? slug : `${slug.slice(0, maxKeyLength - 9)}_${shortHash(slug)}`
}

/** Returns the slug with a mark of the exact text, for one whose plain slug is taken by a different key. */
export function slugWithHash(slug: string, exact: string): string {
  return `${slug.slice(0, maxKeyLength - 9)}_${shortHash(exact)}`
}

function shortHash(text: string): string {
  return digestOf(text, nobleSha256).slice(-8)
}
