// Digests of rows that are too many for seals: each is stored in its row.
import { hash } from 'node:crypto'

export function rowDigest(...values: readonly unknown[]): string {
  const text = JSON.stringify(values.map((value) => (typeof value === 'bigint' ? String(value) : value)))
  return hash('sha256', text, 'base64url')
}
