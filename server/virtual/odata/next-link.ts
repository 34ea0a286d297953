// Checks a link of the source before it is followed with the credentials of the source: it stays on the origin of the source and
// below its URL (docs/reference/component-types.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export interface SourceAddress {
  /** Below the URL of the source. */
  path: string
  query: string
}

const mostCharacters = 8000

/**
 * @param serviceRoot the URL of the source
 * @param what the link leads to, for the message
 * @param base of a relative link: the context of the payload, or else the URL of the request below the source
 * @throws AlmanacError `integration.foreign_link`
 */
export function addressOfLink(
  link: string,
  { serviceRoot, what, base }: { serviceRoot: string; what: string; base: readonly string[] },
): SourceAddress {
  const root = new URL(serviceRoot)
  const rootPath = root.pathname.endsWith('/') ? root.pathname : `${root.pathname}/`
  const refuse = (reason: string): never => {
    throw new AlmanacError(
      'integration.foreign_link',
      `${what} is not followed: its link ${reason}. Correct the service, or the URL of the named credential.`,
    )
  }
  if (link.length > mostCharacters)
    return refuse(`has ${link.length} characters, more than ${mostCharacters}`)
  let url = new URL(rootPath, root.origin)
  for (const step of [...base, link]) {
    if (!URL.canParse(step, url.href)) return refuse('is not a URL')
    url = new URL(step, url.href)
  }
  if (url.origin !== root.origin) return refuse(`leads to a different server, ${url.origin}`)
  if (url.username !== '' || url.password !== '') return refuse('contains a user name or a password')
  // A service could decode an encoded step upwards, which is not a step for the parser.
  if (!url.pathname.startsWith(rootPath) || /%2f|%5c|%2e/i.test(url.pathname))
    return refuse(`leaves ${rootPath}`)
  return { path: url.pathname.slice(rootPath.length - 1), query: url.search.slice(1) }
}
