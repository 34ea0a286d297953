// The name of a pending consent in a cookie or a ticket: whose it is, and a secret that proves it.
import { timingSafeEqual } from 'node:crypto'
import type { SecretOwner } from '../../ports/vault.ts'

export interface ConsentAddress {
  owner: SecretOwner
  secret: string
}

export function formatAddress({ owner: { credential, principal, user }, secret }: ConsentAddress): string {
  return `${Buffer.from(JSON.stringify([credential, principal, user])).toString('base64url')}.${secret}`
}

/** Null if the text is not an address. */
export function parseAddress(text: string): ConsentAddress | null {
  const [name = '', secret = '', ...rest] = text.split('.')
  if (text.length > maxLength || secret === '' || rest.length > 0) return null
  const parts = parsed(Buffer.from(name, 'base64url').toString('utf8'))
  if (!Array.isArray(parts) || parts.length !== 3 || !parts.every((part) => typeof part === 'string'))
    return null
  const [credential, principal, user] = parts as [string, string, string]
  return { owner: { kind: 'consent', credential, principal, user }, secret }
}

const maxLength = 2000

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function isEqual(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)]
  return x.length === y.length && timingSafeEqual(x, y)
}
