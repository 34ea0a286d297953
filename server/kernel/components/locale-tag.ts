// Puts language tags of requests and users into customary case, so that `DE-at` and `de-AT` are equal
// (docs/reference/resolution-and-dates.md; RFC 5646).

const tag = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/
const maxTagLength = 100

/**
 * Returns the tag in its conventional case, `de-AT`, `zh-Hant-TW`, `de-u-co-phonebk`; null if the text is not a tag.
 */
export function canonicalLocale(text: string): string | null {
  if (text.length > maxTagLength || !tag.test(text)) return null
  let extended = false
  const parts = text.split('-').map((part, at) => {
    const lower = part.toLowerCase()
    if (lower.length === 1) extended = true
    return at === 0 || extended ? lower : canonicalPart(lower)
  })
  return parts.at(-1)!.length === 1 ? null : parts.join('-')
}

/** Explains why a text is not a tag, and what to write instead. */
export function explainLocale(text: string): string {
  return `${JSON.stringify(text.slice(0, 100))} is not a language tag. Write a language, optionally with a script and a region: "de", "de-AT", "zh-Hant-TW".`
}

/** A script starts with a capital, a region is in capitals, everything else in lower case. */
function canonicalPart(lower: string): string {
  if (/^[a-z]{4}$/.test(lower)) return lower.charAt(0).toUpperCase() + lower.slice(1)
  return lower.length === 2 ? lower.toUpperCase() : lower
}
