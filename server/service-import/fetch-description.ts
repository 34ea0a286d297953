// Fetches the text of a description from its address: with the credential if the address is below that of the named
// credential, otherwise without any.
import type { NamedCredentialBody } from '#kernel/components/named-credential/body.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { descriptionLimits, type DescriptionSource } from '../external-services/index.ts'
import { requireKnownCharset } from '../callouts/index.ts'
import { OutboundError, type OutboundErrorKind } from '../ports/outbound.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { ServiceImportDeps } from './deps.ts'

export interface DescriptionAddress {
  url: string
  credential: { key: string; body: NamedCredentialBody } | undefined
  hasNoSecret: boolean
  actor: string
  correlationId: string
}

const second = 1000
const limits = {
  ...{ connectMs: 10 * second, responseMs: 30 * second, chunkMs: 15 * second, bodyMs: 60 * second },
  bytes: descriptionLimits.bytes,
}
const accept = 'application/json, application/yaml, text/yaml, */*;q=0.5'

const codes: Readonly<Record<OutboundErrorKind, ErrorCode>> = {
  ...{
    unreachable: 'integration.unreachable',
    address: 'integration.address_refused',
    tls: 'integration.tls',
  },
  ...{ timeout: 'integration.timeout', lost: 'integration.connection_lost' },
  ...{ too_large: 'integration.too_large', cancelled: 'integration.connection_lost' },
}

/** @throws AlmanacError of class integration, in words without a query and without a secret */
export async function fetchDescription(
  deps: Pick<ServiceImportDeps, 'outbound' | 'callouts' | 'capability'>,
  address: DescriptionAddress,
): Promise<DescriptionSource> {
  const { url, credential } = address
  const parsed = urlOf(url)
  const below = credential === undefined ? null : pathBelow(parsed, credential.body.url)
  if (below === null) return fetchPlainly(deps, parsed)
  if (address.hasNoSecret)
    throw new AlmanacError(
      'integration.secret_absent',
      `The external credential ${credential!.body.externalCredential} has no secret.`,
    )
  return fetchAs(deps, { ...address, credential: credential! }, parsed, below)
}

async function fetchPlainly(
  { outbound }: Pick<ServiceImportDeps, 'outbound'>,
  url: URL,
): Promise<DescriptionSource> {
  const name = nameOf(url)
  try {
    const headers = { accept }
    const {
      status,
      text,
      headers: received,
    } = await outbound.send({ method: 'GET', url: url.href, headers, limits })
    requireSuccess(status, name)
    requireKnownCharset(received['content-type'], name)
    return { text, name, mediaType: received['content-type'] }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new AlmanacError(codes[error.kind], `${name} cannot be fetched: ${error.message}.`)
  }
}

async function fetchAs(
  { callouts, capability }: Pick<ServiceImportDeps, 'callouts' | 'capability'>,
  {
    credential,
    actor,
    correlationId,
  }: DescriptionAddress & { credential: { key: string; body: NamedCredentialBody } },
  url: URL,
  path: string,
): Promise<DescriptionSource> {
  const result = await callouts().execute(capability(), {
    ...{ credential, actor, correlationId, method: 'GET', path },
    query: [...url.searchParams],
    headers: { accept },
    maxBytes: descriptionLimits.bytes,
    accepts: (status) => status === 200,
  })
  requireKnownCharset(result.headers['content-type'], nameOf(url))
  const text = Buffer.from(result.body).toString('utf8')
  return { text, name: nameOf(url), mediaType: result.headers['content-type'] }
}

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && url.username === '' && url.password === '') return url
  const reason = url === null ? 'is not a URL' : 'contains a user or a password; use a named credential'
  throw new AlmanacError('integration.call_invalid', `The address of the description ${reason}.`)
}

/** The address without its query, which can contain a key. */
const nameOf = ({ origin, pathname }: URL): string => origin + pathname

/** What follows the URL of the credential; null if the address is elsewhere. */
function pathBelow(url: URL, base: string): string | null {
  if (!URL.canParse(base)) return null
  const { origin, pathname } = new URL(base)
  const folder = pathname.replace(/\/+$/, '')
  if (url.origin !== origin || !url.pathname.startsWith(`${folder}/`)) return null
  return url.pathname.slice(folder.length)
}

function requireSuccess(status: number, name: string): void {
  if (status === 200) return
  const isRedirect = status >= 300 && status < 400
  throw new AlmanacError(
    isRedirect ? 'integration.redirect_refused' : 'integration.refused',
    isRedirect
      ? `${name} redirects to a different address (status ${status}), which is not followed. Use the address that it leads to.`
      : `${name} responded with status ${status}. Check the address.`,
  )
}
