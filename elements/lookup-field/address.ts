import { make } from './dom.ts'

/** An address that leads to a place, and runs nothing; null for any other. */
export function safeAddress(href: string | null): string | null {
  if (!href?.trim()) return null
  const protocol = protocolOf(href)
  // Pages of an application have a scheme of their own, and so have the addresses beside them.
  const isSafe = /^(https?|mailto|tel):$/.test(protocol) || protocol === protocolOf(document.baseURI)
  return isSafe ? href : null
}

/** As a link has it: a colon alone if there is no such address. */
const protocolOf = (href: string): string => make('a', { href }).protocol
