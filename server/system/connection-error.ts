// Classifies a failed connection, by the code of Node, OpenSSL or undici.
import type { OutboundErrorKind } from '../ports/outbound.ts'

/** Codes of a connection that was never established. */
const unreachableCodes =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN|EACCES|UND_ERR_CONNECT_TIMEOUT)$/
const tlsCodes = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO|HOSTNAME_MISMATCH)/
const timeoutCodes = /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/

/** An established connection that ended for any other reason was lost. */
export function connectionErrorKind(
  code: string,
): Extract<OutboundErrorKind, 'unreachable' | 'tls' | 'timeout' | 'lost'> {
  if (unreachableCodes.test(code)) return 'unreachable'
  if (tlsCodes.test(code)) return 'tls'
  return timeoutCodes.test(code) ? 'timeout' : 'lost'
}

/** OpenSSL's own messages are places in its source; its reason is readable. */
export function tlsErrorReason(error: Error & { code?: string; reason?: string }): string {
  if (error.code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'it does not support TLS at this address'
  return error.reason ?? error.message.split('\n', 1)[0]!
}
