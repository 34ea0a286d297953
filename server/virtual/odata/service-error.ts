// Errors of a source in our words. Its own message is quoted without what could be a secret.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { RemoteResponse } from '../remote-call.ts'
import { isJsonObject } from './payload.ts'

/** The error of a response that is not a success. @param source for the message: `Orders of erp` */
export function serviceError(response: RemoteResponse, source: string): AlmanacError {
  const { status } = response
  const code = codes[status] ?? 'integration.refused'
  const reason = reasonOf(response)
  const detail = `${source} responded with status ${status}${reason === null ? '' : `: ${reason}`}.`
  return new AlmanacError(code, detail, { retryAfter: retryAfter(response) })
}

const codes: Readonly<Record<number, ErrorCode>> = {
  401: 'integration.sign_in',
  403: 'integration.forbidden',
}

function retryAfter({ status, headers }: RemoteResponse): number | undefined {
  const seconds = Number(headers['retry-after'])
  return (status === 429 || status === 503) && Number.isInteger(seconds) && seconds >= 0 ? seconds : undefined
}

const mostCharacters = 300
/** Characters that are searched for credentials: a source can send megabytes. */
const mostSearched = 2000

/** The code and the message of the error body of OData, without its inner error, which is for developers of the source. */
function reasonOf({ text }: RemoteResponse): string | null {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return null
  }
  const error = isJsonObject(json) ? json['error'] : undefined
  if (!isJsonObject(error)) return null
  const message = isJsonObject(error['message']) ? error['message']['value'] : error['message']
  const parts = [error['code'], message].filter((part) => typeof part === 'string' && part.trim() !== '')
  return plainWords(parts.join(', ')) || null
}

/** Without control characters, credentials and URLs, which can contain keys. */
function plainWords(text: string): string {
  const plain = beginningOf(text)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/\b(bearer|basic|apikey|token|password|secret|key)\b\s*[:=]?\s*[^\s,;]{4,}/gi, '$1 …')
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s,;]*/gi, '(URL)')
    .replace(/[A-Za-z0-9+/=_-]{32,}(\.[A-Za-z0-9+/=_-]+)*/g, '…')
    .trim()
    .replace(/\.$/, '')
  return plain.length > mostCharacters ? `${plain.slice(0, mostCharacters)}…` : plain
}

/** Ends between two words: the first half of a credential would not be recognised. */
function beginningOf(text: string): string {
  return text.length <= mostSearched ? text : text.slice(0, mostSearched).replace(/\S*$/, '')
}
