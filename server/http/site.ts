// Where this server is reached: the names that a Host header may have and the one Origin of its page (completions 6).
import type { RequestHandler, Request } from 'express'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export interface Site {
  /** Host headers that are ours, in lower case; null behind a proxy that routes by name itself. */
  hosts: ReadonlySet<string> | null
  scheme: 'http' | 'https'
  /** Bound to loopback, so that whoever asks is on this machine. */
  loopback: boolean
  port: number
  /**
   * Ends the names of its cookies: the port and the first part of the org's lineage. A browser sends the cookies of one host
   * to each of its ports, and one port may serve a different org tomorrow.
   */
  cookieSuffix: string
  /** A proxy of the operator stands in front; it says who asks. */
  behindProxy: boolean
}

/** The names of a server on `port`, with whatever its operator adds. */
export function hostNames(port: number, scheme: Site['scheme'], names: readonly string[]): Set<string> {
  const usual = scheme === 'https' ? 443 : 80
  const all = ['127.0.0.1', 'localhost', '[::1]', ...names].map((name) => name.toLowerCase())
  // A name that comes with a port of its own stays as it is.
  return new Set(
    all.flatMap((name) =>
      /:\d+$/.test(name) ? [name] : [`${name}:${port}`, ...(port === usual ? [name] : [])],
    ),
  )
}

/** Refuses requests under a foreign name: a page elsewhere could have its own name lead to this machine. */
export function hostCheck(site: Site): RequestHandler {
  return (request, _response, next) => {
    const host = request.headers.host?.toLowerCase()
    if (host !== undefined && (site.hosts === null || site.hosts.has(host))) return next()
    throw new AlmanacError(
      'auth.forbidden_origin',
      `This server is not reached as "${host ?? ''}". Use ${[...(site.hosts ?? [])][0] ?? 'its own name'}, or start it with --public-host and that name.`,
    )
  }
}

/** Where a request comes from, for counting attempts: the proxy's word for it, where one stands in front. */
export function addressOf(site: Pick<Site, 'behindProxy'>, request: Request): string {
  const forwarded = site.behindProxy ? request.get('X-Forwarded-For') : undefined
  // The last is what our own proxy saw; whoever asks can have written the others.
  const last = forwarded?.split(',').at(-1)?.trim()
  return last === undefined || last === '' ? (request.socket.remoteAddress ?? '') : last
}

/** The Origin of our own page, as a browser writes it. */
export function ownOrigin(site: Site, request: Request): string {
  return `${site.scheme}://${request.headers.host?.toLowerCase() ?? ''}`
}

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Unsafe requests come from our exact Origin. A program with a bearer token sends none, and no page can make a browser
 * leave it out; what rides on a cookie must name it.
 */
export function originCheck(site: Site): RequestHandler {
  return (request, _response, next) => {
    if (safeMethods.includes(request.method)) return next()
    const origin = request.headers.origin
    const own = ownOrigin(site, request)
    if (origin === own) return next()
    if (origin === undefined && request.headers.authorization !== undefined) return next()
    // Without cookie and without Origin nothing rides on a browser; who it is, is asked later.
    if (origin === undefined && request.headers.cookie === undefined) return next()
    throw new AlmanacError(
      'auth.forbidden_origin',
      `A request that changes something must come from ${own}; this one ${origin === undefined ? 'names no origin' : `comes from "${origin}"`}.`,
    )
  }
}
