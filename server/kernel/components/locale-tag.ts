// Language tags as a request or a user gives them: customary case, so that `DE-at` and `de-AT` are one (completions 2; RFC 5646).

const tag = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/
const longestTag = 100

/** The tag in its customary case, `de-AT`, `zh-Hant-TW`, `de-u-co-phonebk`; null where the text is no tag. */
export function customaryLocale(text: string): string | null {
  if (text.length > longestTag || !tag.test(text)) return null
  let extended = false
  const parts = text.split('-').map((part, at) => {
    const lower = part.toLowerCase()
    if (lower.length === 1) extended = true
    return at === 0 || extended ? lower : customaryPart(lower)
  })
  return parts.at(-1)!.length === 1 ? null : parts.join('-')
}

/** Why a text is no tag, with the way out. */
export function explainLocale(text: string): string {
  return `${JSON.stringify(text.slice(0, 100))} is not a language tag. Write a language, and where it matters a script and a region: "de", "de-AT", "zh-Hant-TW".`
}

/** A script with a capital, a region in capitals, all else small. */
function customaryPart(lower: string): string {
  if (/^[a-z]{4}$/.test(lower)) return lower.charAt(0).toUpperCase() + lower.slice(1)
  return lower.length === 2 ? lower.toUpperCase() : lower
}
