// Where spans are exported to, as the operator has configured it.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export interface OtlpOptions {
  /** Of the collector, such as `http://localhost:4318`: `/v1/traces` is added to it. */
  endpoint: string
  /** As in OTEL_EXPORTER_OTLP_HEADERS: `name=value,name=value`, with encoded values. They can contain secrets. */
  headers?: string | undefined
}

export const headersVariable = 'OTEL_EXPORTER_OTLP_HEADERS'

const tracesPath = '/v1/traces'

/** @throws AlmanacError `server.cannot_start`, without the URL: it can contain a secret */
export function tracesUrl({ endpoint }: OtlpOptions): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw cannotStart(
      '--otlp-endpoint must be the http or https URL of a collector, such as http://localhost:4318.',
    )
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw cannotStart(
      `--otlp-endpoint must be a URL without a user, a query or a fragment. Pass secrets as headers in ${headersVariable}.`,
    )
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path.endsWith(tracesPath) ? path : `${path}${tracesPath}`}`
}

/** RFC 9110, 5.6.2. */
const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/
/** Printable characters of ASCII. */
const headerValue = /^[\x20-\x7e]*$/
const ownHeaders = ['content-type', 'content-length', 'host', 'connection', 'transfer-encoding']

/** @throws AlmanacError `server.cannot_start`, which names the place and never the value */
export function exportHeaders({ headers = '' }: OtlpOptions): Record<string, string> {
  const found: Record<string, string> = {}
  const pairs = headers.split(',').map((pair) => pair.trim())
  for (const [at, pair] of pairs.entries()) {
    if (pair === '') continue
    const name = pair.slice(0, Math.max(0, pair.indexOf('='))).trim()
    const value = decoded(pair.slice(pair.indexOf('=') + 1).trim())
    if (!headerName.test(name) || value === null || !headerValue.test(value))
      throw cannotStart(
        `Item ${at + 1} of ${headersVariable} is not a header. Write name=value, with a percent-encoded value, and commas between headers.`,
      )
    if (ownHeaders.includes(name.toLowerCase()))
      throw cannotStart(`${headersVariable} cannot set ${name}: the export sets it. Remove it.`)
    found[name.toLowerCase()] = value
  }
  return found
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const cannotStart = (words: string): AlmanacError => new AlmanacError('server.cannot_start', words)
