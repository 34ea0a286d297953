// Where the server listens: its socket with limits and TLS, and the names and addresses under which it is reached.
import { readFileSync } from 'node:fs'
import { createServer as createPlainServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createSecureContext } from 'node:tls'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { fileError } from '../files/index.ts'
import { EdgeRequest, EdgeResponse, hostNames, maxHeaderBytes, type Site } from '../http/index.ts'

const keepAliveMs = 75_000
/** Maximum time for the headers of a request; its body has a minimum rate (read-body.ts). */
const headersMs = 15_000
/** Maximum time for a whole request, even if its body has the minimum rate. */
const requestMs = 300_000
/** Interval of the check for requests that take too long. */
const connectionCheckMs = 5000

/** Number of characters of the org's lineage in the names of cookies. */
const lineagePart = 8

export interface ListenOptions {
  host: string
  /** 0 takes any free port. */
  port: number
  /** A proxy in front of the server terminates TLS and checks host names. */
  behindProxy?: boolean
  /** Additional host names, such as `almanac.example.org`. */
  publicHosts?: readonly string[]
  /** The URL that users and other systems know, such as `https://almanac.example.org`. Required behind a proxy. */
  publicUrl?: string | undefined
  /** PEM files. */
  tls?: { cert: string; key: string }
}

/** Creates the server that does not listen yet. @throws AlmanacError server.cannot_start if its certificate is not valid */
export function createListener({ tls }: ListenOptions): Server {
  const settings = {
    IncomingMessage: EdgeRequest,
    ServerResponse: EdgeResponse,
    connectionsCheckingInterval: connectionCheckMs,
    maxHeaderSize: maxHeaderBytes,
    // The app refuses a request without a host, with the error envelope.
    requireHostHeader: false,
  }
  const server =
    tls === undefined ? createPlainServer(settings) : createTlsServer({ ...settings, ...tlsFiles(tls) })
  // Longer than browsers and proxies keep an idle connection, so it is not closed while a request is on its way.
  server.keepAliveTimeout = keepAliveMs
  server.headersTimeout = headersMs
  server.requestTimeout = requestMs
  // The app counts them: some versions of Node ignore further headers, others refuse them as too large.
  server.maxHeadersCount = 0
  return server
}

/** Returns whether the host is loopback. @throws AlmanacError server.cannot_start if the options do not fit together. */
export function requireSafeHost(options: ListenOptions): boolean {
  const { host, tls, behindProxy, publicUrl } = options
  if (behindProxy === true && publicUrl === undefined)
    throw cannotStart(
      'Behind a proxy, the server does not know its own URL. Pass it with --public-url, such as --public-url https://almanac.example.com.',
    )
  if (publicUrl !== undefined) parsePublicUrl(publicUrl, schemeOf(options))
  if (['127.0.0.1', 'localhost', '::1'].includes(host)) return true
  if (tls === undefined && behindProxy !== true)
    throw cannotStart(
      `${host} can be reached from other machines, which requires TLS. Pass --tls-cert and --tls-key, or --behind-proxy if a proxy terminates TLS, or listen on 127.0.0.1.`,
    )
  return false
}

export function siteOf(
  { host, tls, behindProxy = false, publicHosts = [], publicUrl }: ListenOptions,
  { port, loopback, lineage }: { port: number; loopback: boolean; lineage: string },
): Site {
  const scheme = schemeOf({ tls, behindProxy })
  const isAnyHost = host === '0.0.0.0' || host === '::'
  const hosts = hostNames(
    { port, scheme, behindProxy },
    { own: isAnyHost ? [] : [urlHost(host)], publicNames: publicHosts },
  )
  const known = publicUrl === undefined ? null : parsePublicUrl(publicUrl, scheme)
  if (known !== null) for (const name of hostsOf(known)) hosts.add(name)
  const [named = isAnyHost ? null : urlHost(host)] = publicHosts
  const ownUrl = known?.origin ?? (named === null ? null : originOf(scheme, named, port))
  return {
    hosts,
    scheme,
    publicUrl: ownUrl,
    issuer: ownUrl ?? originOf(scheme, '127.0.0.1', port),
    // Callers behind a proxy are not on this machine.
    loopback: loopback && !behindProxy,
    port,
    cookieSuffix: `${port}_${lineage.slice(0, lineagePart)}`,
    behindProxy,
  }
}

const schemeOf = ({ tls, behindProxy }: Pick<ListenOptions, 'tls' | 'behindProxy'>): Site['scheme'] =>
  tls === undefined && behindProxy !== true ? 'http' : 'https'

/** @throws AlmanacError server.cannot_start unless it is only a scheme and a host */
function parsePublicUrl(text: string, scheme: Site['scheme']): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  const isOrigin = url !== null && `${url.origin}/` === url.href
  if (!isOrigin || url.protocol !== `${scheme}:`)
    throw cannotStart(
      `--public-url ${text} must be the ${scheme} URL of this server, without a path, such as ${scheme}://almanac.example.com.`,
    )
  return url
}

/** The Host headers of a URL: browsers omit the usual port. */
const hostsOf = ({ host, hostname, port, protocol }: URL): string[] =>
  port === '' ? [host, `${hostname}:${protocol === 'https:' ? 443 : 80}`] : [host]

const originOf = (scheme: Site['scheme'], name: string, port: number): string =>
  new URL(/:\d+$/.test(name) ? `${scheme}://${name}` : `${scheme}://${name}:${port}`).origin

export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

function tlsFiles({ cert, key }: { cert: string; key: string }): { cert: Buffer; key: Buffer } {
  const [certText, keyText] = [pemFile(cert), pemFile(key)]
  try {
    createSecureContext({ cert: certText, key: keyText })
  } catch (cause) {
    throw cannotStart(
      `${cert} and ${key} are not a certificate and its key in PEM: ${(cause as Error).message}. Pass both with --tls-cert and --tls-key.`,
    )
  }
  return { cert: certText, key: keyText }
}

function pemFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw cannotStart(
      `${fileError('read', path, cause).message} Pass PEM files with --tls-cert and --tls-key.`,
    )
  }
}

function cannotStart(words: string): AlmanacError {
  return new AlmanacError('server.cannot_start', words)
}

/** @throws AlmanacError server.cannot_start with the reason */
export function listen(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(cannotStart(listenWords(error, host, port))),
    )
    server.listen(port, host, resolve)
  })
}

function listenWords(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} on ${host} is already in use. Choose a different port with --port, or --port 0 for any free port.`
  if (error.code === 'EACCES')
    return `Port ${port} on ${host} requires elevated privileges. Choose a port above 1023.`
  return `Cannot listen on ${host}:${port}: ${error.message}.`
}
