// The canonical forms of AWS Signature Version 4: path, query and headers.

/** Headers that intermediaries change, so they are not signed. */
const unsigned: ReadonlySet<string> = new Set([
  ...['authorization', 'cache-control', 'connection', 'expect', 'from', 'keep-alive', 'max-forwards'],
  ...['pragma', 'referer', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'user-agent', 'x-amzn-trace-id'],
])

/** Percent-encodes all but the unreserved characters of RFC 3986. */
export function encodeUnreserved(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Removes dot segments and repeated slashes, and encodes each segment (again, if it is encoded). */
export function canonicalPath(path: string): string {
  const kept: string[] = []
  for (const segment of path.split('/'))
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(encodeUnreserved(segment))
  return `/${kept.join('/')}${kept.length > 0 && path.endsWith('/') ? '/' : ''}`
}

/** Encodes each segment once, whether or not it is encoded. */
export function encodedPath(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeOnce(segment))
    .join('/')
}

/** Parameters in the order of their encoded names, then values; every one with an equals sign. */
export function canonicalQuery(query: string): string {
  if (query === '') return ''
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=')
      const [name, value] = at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
      return [encodeForm(name), encodeForm(value)] as const
    })
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

/** A plus is a space, as in forms. */
function encodeForm(text: string): string {
  return encodeOnce(text.replaceAll('+', ' '))
}

/** An escape that is not UTF-8 is encoded as the characters that it consists of. */
function encodeOnce(text: string): string {
  try {
    return encodeUnreserved(decodeURIComponent(text))
  } catch {
    return encodeUnreserved(text)
  }
}

/** Names in lower case → values with single spaces, repeated ones joined in their order; sorted by name. */
export function canonicalHeaders(headers: readonly (readonly [string, string])[]): Map<string, string> {
  const values = new Map<string, string[]>()
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    if (unsigned.has(lower) || /^(?:proxy|sec)-/.test(lower)) continue
    values.set(lower, [...(values.get(lower) ?? []), value.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '')])
  }
  return new Map([...values].sort(([a], [b]) => compare(a, b)).map(([name, list]) => [name, list.join(',')]))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
