// The locales that a request matches: the tag itself, then each shorter one (docs/reference/resolution-and-dates.md;
// RFC 4647 lookup).

const chains = new Map<string, readonly string[]>()

/** `de-AT` → `de-AT`, `de`. A single-letter subtag is removed together with the subtag after it. */
export function localeChain(locale: string): readonly string[] {
  const known = chains.get(locale)
  if (known !== undefined) return known
  const chain: string[] = []
  const parts = locale.split('-')
  while (parts.length > 0) {
    chain.push(parts.join('-'))
    parts.pop()
    if (parts.at(-1)?.length === 1) parts.pop()
  }
  if (chains.size > 1000) chains.clear()
  chains.set(locale, chain)
  return chain
}
