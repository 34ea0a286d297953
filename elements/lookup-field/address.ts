import { make } from './dom.ts'

/** A URL that navigates and runs nothing; null for any other. */
export function safeAddress(href: string | null): string | null {
  if (!href?.trim()) return null
  const protocol = protocolOf(href)
  // Pages of an application have their own scheme, and so do relative URLs.
  const isSafe = /^(https?|mailto|tel):$/.test(protocol) || protocol === protocolOf(document.baseURI)
  return isSafe ? href : null
}

/** The protocol of a link; a single colon if the URL is not valid. */
const protocolOf = (href: string): string => make('a', { href }).protocol
