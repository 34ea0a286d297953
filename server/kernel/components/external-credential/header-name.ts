// Names of headers that a credential can send (RFC 9110).

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Headers that describe the message or the connection; the sender of the request sets them. */
const reserved: ReadonlySet<string> = new Set([
  ...['connection', 'content-encoding', 'content-length', 'content-type', 'expect', 'host', 'keep-alive'],
  ...['proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
])

export function isHeaderToken(name: string): boolean {
  return token.test(name)
}

/** Returns null if a credential can send a header of this name; otherwise what is wrong and how to fix it. */
export function explainHeaderName(name: string): string | null {
  if (!isHeaderToken(name))
    return `"${name}" is not the name of a header. Use letters, digits and hyphens, such as X-API-Key.`
  if (reserved.has(name.toLowerCase()))
    return `A credential cannot send the header ${name}, which each request sets itself. Use a different header.`
  return null
}
