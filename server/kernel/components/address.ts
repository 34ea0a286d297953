// Checks URLs in components: plain http(s), without secrets, so that no component contains a token.

const address = /^(https?):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i

/**
 * Returns null if `text` is a plain http or https URL; otherwise what is wrong and how to fix it. Uses no URL parser,
 * because the kernel is pure.
 */
export function explainAddress(text: string): string | null {
  const match = address.exec(text)
  if (match === null) return `"${text}" is not a valid URL. Write a URL such as "https://api.example.com/v1".`
  const [, , authority = '', , query, fragment] = match
  if (authority.includes('@'))
    return `The URL contains a user name or password. Remove everything before the @, and put it into the credential store.`
  if (!/^(\[[0-9a-f:.]+\]|[^\s:[\]]+)(:[0-9]{1,5})?$/i.test(authority))
    return `The host of "${text}" is not valid. Write a URL such as "https://api.example.com/v1".`
  if (query !== undefined || fragment !== undefined)
    return `The URL has a query or a fragment. Remove it: each call adds its own query, and secrets belong in the credential store.`
  return /\s/.test(text) ? `"${text}" contains a space. Remove it.` : null
}
