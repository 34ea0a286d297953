// Adds to a request what the scheme of its credential requires (docs/reference/authentication-of-calls.md). Pure: time
// and secrets are arguments, and nothing is kept.
import type { ExternalCredentialBody } from '#kernel/components/external-credential/body.ts'
import { isHeaderToken } from '#kernel/components/external-credential/header-name.ts'
import { explainHeaderText } from '#kernel/components/external-credential/header-text.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { awsAuthentication } from './aws-authentication.ts'
import { basicHeader } from './basic-header.ts'
import type {
  AuthenticatedRequest,
  AuthenticationContext,
  OutgoingRequest,
  Secrets,
} from './outgoing-request.ts'
import { sendParameter } from './parameters.ts'
import { slotValues, type SlotValues } from './slot-values.ts'
import { clientCertificateOptions, trustOptions } from './tls-options.ts'

/** @throws AlmanacError that names the slot whose value is absent or cannot be used */
export function authenticate(
  body: ExternalCredentialBody,
  secrets: Secrets,
  request: OutgoingRequest,
  context: AuthenticationContext,
): AuthenticatedRequest {
  const slots = slotValues(context.credential, secrets)
  const { method, url: asked, body: bytes } = request
  const plain = { method, url: asked, body: bytes, headers: lowerCased(request.headers) }
  const { url, headers } = signed(body, slots, plain, context)
  requireSendable(headers)
  return { url, headers, tls: body.scheme === 'mtls' ? clientCertificateOptions(slots) : trustOptions(slots) }
}

/** The last check before sending, of every header, those of the caller too: none can begin a new line. */
function requireSendable(headers: Record<string, string>): void {
  for (const name in headers) {
    const reason = isHeaderToken(name) ? explainHeaderText(headers[name]!) : 'is not the name of a header'
    if (reason === null) continue
    throw new AlmanacError('request.invalid', `The header ${JSON.stringify(name)} ${reason}.`)
  }
}

type PlainRequest = OutgoingRequest & { headers: Record<string, string> }

function signed(
  body: ExternalCredentialBody,
  slots: SlotValues,
  request: PlainRequest,
  context: AuthenticationContext,
): { url: string; headers: Record<string, string> } {
  const { url, headers } = request
  switch (body.scheme) {
    case 'oauth2_client_credentials':
    case 'oauth2_authorization_code':
    case 'oauth2_jwt_bearer':
      return { url, headers: { ...headers, authorization: bearer(context) } }
    case 'mtls':
      if (/^https:/i.test(url)) return { url, headers }
      throw new AlmanacError(
        'component.invalid',
        `The credential ${context.credential} authenticates with a client certificate, so it calls https URLs only. Change the URL of the named credential.`,
      )
    case 'aws_sigv4':
      return awsAuthentication(body, slots, request, context.now)
    case 'api_key':
      return sendParameter({ in: body.in, name: body.name, prefix: body.prefix, slot: 'key' }, slots, {
        url,
        headers,
      })
    case 'basic':
      return { url, headers: { ...headers, authorization: basicHeader(slots) } }
    case 'custom':
      return body.parameters.reduce(
        (sending, parameter) => sendParameter({ ...parameter, slot: parameter.name }, slots, sending),
        { url, headers },
      )
  }
}

/** Visible ASCII, as RFC 6750 has it; a server's token can contain more than its alphabet. */
function bearer({ credential, accessToken }: AuthenticationContext): string {
  if (accessToken !== undefined && /^[\x21-\x7e]+$/.test(accessToken)) return `Bearer ${accessToken}`
  const detail = `The access token of the credential ${credential} is absent, or contains characters that headers cannot have.`
  throw new AlmanacError('integration.token_refused', detail)
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  let isLower = true
  for (const name in headers) isLower &&= name === name.toLowerCase()
  // Nobody changes it.
  if (isLower) return headers as Record<string, string>
  const lowerCase: Record<string, string> = {}
  for (const name in headers) lowerCase[name.toLowerCase()] = headers[name]!
  return lowerCase
}
