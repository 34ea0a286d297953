/** An address that leads to a place, and runs nothing; null for any other. */
export function safeAddress(href: string | null): string | null {
  if (href === null || href.trim() === '') return null
  try {
    return /^(https?|mailto|tel):$/.test(new URL(href, document.baseURI).protocol) ? href : null
  } catch {
    return null
  }
}
