// The addresses of this server: the allowed Host headers and the Origin of its page.
import type { Request } from 'express'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RequestStep } from './request-step.ts'

export interface Site {
  /** Allowed Host headers, in lower case. */
  hosts: ReadonlySet<string>
  scheme: 'http' | 'https'
  /** The origin that other systems know. It never comes from a request. Null if the server listens on all hosts and has no name. */
  publicUrl: string | null
  /** What names this server in OAuth: the public URL, or the loopback address. It never comes from a request. */
  issuer: string
  /** Whether the server is bound to loopback, so that all callers are on this machine. */
  loopback: boolean
  port: number
  /**
   * Suffix of the cookie names: the port and the first part of the org's lineage. A browser sends the cookies of one
   * host to all of its ports, and a port may serve another org tomorrow.
   */
  cookieSuffix: string
  /** Whether a proxy of the operator is in front of the server and reports the address of the caller. */
  behindProxy: boolean
}

/**
 * Returns the host names of a server on `port`, with the public names that its operator adds. Behind a proxy, a public
 * name without a port is the proxy's, on the usual port of its scheme, which browsers leave out.
 */
export function hostNames(
  { port, scheme, behindProxy }: Pick<Site, 'port' | 'scheme' | 'behindProxy'>,
  { own, publicNames }: { own: readonly string[]; publicNames: readonly string[] },
): Set<string> {
  const isUsualPort = port === (scheme === 'https' ? 443 : 80)
  const hostsOf = (name: string, isPortOmitted: boolean): string[] =>
    // A name that includes a port does not change.
    /:\d+$/.test(name) ? [name] : [`${name}:${port}`, ...(isPortOmitted ? [name] : [])]
  const hosts = [
    ...['127.0.0.1', 'localhost', '[::1]', ...own].flatMap((name) => hostsOf(name, isUsualPort)),
    ...publicNames.flatMap((name) => hostsOf(name, isUsualPort || behindProxy)),
  ]
  return new Set(hosts.map((host) => host.toLowerCase()))
}

/** Refuses requests with a foreign host name: a web page could make its own name resolve to this machine. */
export function hostCheck(site: Site): RequestStep {
  return (request) => {
    const host = request.headers.host?.toLowerCase()
    if (host !== undefined && site.hosts.has(host)) return
    throw new AlmanacError(
      'auth.forbidden_origin',
      `"${host ?? ''}" is not a host name of this server. Use ${site.publicUrl === null ? [...site.hosts][0] : new URL(site.publicUrl).host}, or start the server with --public-host and that name.`,
    )
  }
}

/** Returns the source of a request, for counting attempts; behind a proxy, the source that the proxy reports. */
export function addressOf(site: Pick<Site, 'behindProxy'>, request: Request): string {
  const forwarded = site.behindProxy ? request.get('X-Forwarded-For') : undefined
  // The last one comes from our own proxy; the caller can have forged the others.
  const last = forwarded?.split(',').at(-1)?.trim()
  return last === undefined || last === '' ? (request.socket.remoteAddress ?? '') : last
}

/** Returns the Origin of our own page, as browsers write it. */
export function ownOrigin(site: Site, request: Request): string {
  return `${site.scheme}://${request.headers.host?.toLowerCase() ?? ''}`
}

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Requires our exact Origin for unsafe requests. A program with a bearer token sends none, and a page cannot make a
 * browser omit it; a request with a cookie must send it.
 */
export function originCheck(site: Site): RequestStep {
  return (request) => {
    if (safeMethods.includes(request.method)) return
    const origin = request.headers.origin
    const own = ownOrigin(site, request)
    if (origin === own) return
    if (origin === undefined && request.headers.authorization !== undefined) return
    // Without cookie and Origin, the request does not come from a browser; the caller is identified later.
    if (origin === undefined && request.headers.cookie === undefined) return
    throw new AlmanacError(
      'auth.forbidden_origin',
      `A request that changes something must come from ${own}; this one ${origin === undefined ? 'has no Origin header' : `comes from "${origin}"`}.`,
    )
  }
}
