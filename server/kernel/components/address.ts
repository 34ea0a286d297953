// Addresses in components: plain http(s), and never a secret within (specification 2.10: no token in a deployed artifact).

const address = /^(https?):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i

/** Null where `text` is a plain http or https URL; otherwise what is wrong and the way out. No URL parser: the kernel is pure. */
export function explainAddress(text: string): string | null {
  const match = address.exec(text)
  if (match === null) return `"${text}" is not an address. Write one such as "https://api.example.com/v1".`
  const [, , authority = '', , query, fragment] = match
  if (authority.includes('@'))
    return `The address holds a user name or password. Remove what stands before the @, and put it into the credential store.`
  if (!/^(\[[0-9a-f:.]+\]|[^\s:[\]]+)(:[0-9]{1,5})?$/i.test(authority))
    return `"${text}" has no readable host. Write an address such as "https://api.example.com/v1".`
  if (query !== undefined || fragment !== undefined)
    return `The address has a query or a fragment. Leave it out: a call adds its own query, and secrets stay in the credential store.`
  return /\s/.test(text) ? `"${text}" has a space in it. Remove it.` : null
}
