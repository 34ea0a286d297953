// Names the fault of an exchange that failed, in our own words: the messages of libraries can contain a URL.
import { CalloutFault } from '../ports/callout-transport.ts'
import { OutboundError } from '../ports/outbound.ts'
import { connectionErrorKind } from './connection-error.ts'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refused the connection',
  ENOTFOUND: 'its name does not exist',
  EAI_AGAIN: 'its name could not be resolved',
  EHOSTUNREACH: 'it cannot be routed to',
  ENETUNREACH: 'its network cannot be routed to',
  UND_ERR_CONNECT_TIMEOUT: 'it did not accept the connection in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for a different name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not support TLS at this address',
  EPROTO: 'the TLS handshake failed',
}

/** Alerts with which a server refuses the client in the handshake, in TLS 1.3 also after the request was written. */
const refusedClient =
  /^ERR_SSL_.*ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|CERTIFICATE_EXPIRED|CERTIFICATE_REVOKED|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)$/
const invalidCode =
  /^(UND_ERR_INVALID_ARG|UND_ERR_REQ_CONTENT_LENGTH_MISMATCH|UND_ERR_NOT_SUPPORTED|ERR_INVALID_)/
const unreadableCode = /^(HPE_|UND_ERR_(HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH))/

/** @param isSent whether the request could have been written to the connection */
export function transportFault(cause: unknown, isSent: boolean, status: number | null = null): CalloutFault {
  const error = innermost(cause)
  if (error instanceof CalloutFault) return error
  if (error instanceof OutboundError) return new CalloutFault('address', error.message, false)
  const { code = '', name } = error as { code?: string; name?: string }
  const fault = (kind: CalloutFault['kind'], reason: string, sent: boolean): CalloutFault =>
    new CalloutFault(kind, reason, sent, status)
  if (refusedClient.test(code)) return fault('tls', 'it does not accept the client certificate', false)
  if (invalidCode.test(code)) return fault('invalid', 'the request has a part that cannot be sent', false)
  if (unreadableCode.test(code) || name === 'HTTPParserError')
    return fault('unreadable', 'the response is not valid HTTP', isSent)
  const kind = connectionErrorKind(code)
  if (kind === 'tls' && !isSent)
    return fault('tls', reasons[code] ?? `the TLS handshake failed (${code})`, false)
  if (isSent) return fault('lost', 'it closed the connection before the response was complete', true)
  return fault('unreachable', reasons[code] ?? 'the connection could not be established', false)
}

/** Several addresses of one name fail together; the first is as informative as any. */
function innermost(cause: unknown): unknown {
  if (cause instanceof AggregateError && cause.errors.length > 0) return innermost(cause.errors[0])
  const { code, cause: inner } = (cause ?? {}) as { code?: string; cause?: unknown }
  const isWrapper = code === undefined && inner instanceof Error
  return isWrapper ? innermost(inner) : (cause ?? new Error('unknown'))
}
