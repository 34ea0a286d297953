// Addresses within the studio, such as `/c/config_set/vat_rate?row=3`: what a window returns to and what a link opens.

/** The URL of an `almanac://studio/…` link; null if the text is not such a link. */
export function addressOfLink(link: string): string | null {
  if (!URL.canParse(link)) return null
  const { protocol, host, pathname, search, hash } = new URL(link)
  if (protocol !== 'almanac:' || host !== 'studio') return null
  return asAddress(`${pathname || '/'}${search}${hash}`)
}

/** The URL of a page of ours; null for any other page, including the one-time link. */
export function addressOfPage(url: string, origin: string | null): string | null {
  if (origin === null || !URL.canParse(url)) return null
  const page = new URL(url)
  if (page.origin !== origin || page.pathname === '/session') return null
  return asAddress(`${page.pathname}${page.search}${page.hash}`)
}

/**
 * A stored or received value if it is a URL of the studio, so that it cannot change the origin to which it is
 * added.
 */
export function asAddress(value: unknown): string | null {
  const anywhere = 'http://studio.invalid'
  if (typeof value !== 'string' || !value.startsWith('/') || value.length > 4000) return null
  if (!URL.canParse(value, anywhere) || new URL(value, anywhere).origin !== anywhere) return null
  return value
}
