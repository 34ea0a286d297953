/** An address that leads to a place, and runs nothing; null for any other. */
export function safeAddress(href: string | null): string | null {
  if (!href?.trim()) return null
  try {
    const { protocol } = new URL(href, document.baseURI)
    // Pages of an application have a scheme of their own, and so have the addresses beside them.
    const isSafe = /^(https?|mailto|tel):$/.test(protocol) || protocol === new URL(document.baseURI).protocol
    return isSafe ? href : null
  } catch {
    return null
  }
}
