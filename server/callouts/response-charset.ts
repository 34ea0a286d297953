// Responses as UTF-8, whichever charset they declare. Everything after it, also the search for secrets, reads UTF-8.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { truncateInput } from '#kernel/errors/truncate-input.ts'
import type { TransportResponse } from '../ports/callout-transport.ts'
import { charsetOf, decoderOf, isUtf8Charset } from '../ports/charset.ts'
import { calloutOrigin } from './callout-error.ts'

/** A response whose charset is not known stays as it is. */
export function toUtf8(response: TransportResponse): TransportResponse {
  const mediaType = response.headers['content-type']
  const charset = charsetOf(mediaType)
  if (charset === null || isUtf8Charset(charset)) return response
  const decoder = decoderOf(charset)
  if (decoder === null) return response
  return {
    ...response,
    headers: {
      ...response.headers,
      'content-type': mediaType!.replace(/(charset\s*=\s*)("[^"]*"|[^\s;]+)/i, '$1utf-8'),
    },
    body: Buffer.from(decoder.decode(response.body)),
  }
}

/**
 * @param name of the response, for the message: `The response of erp`
 * @throws AlmanacError `integration.unreadable` if its charset is not known
 */
export function requireKnownCharset(mediaType: string | undefined, name: string): void {
  const charset = charsetOf(mediaType)
  if (charset === null || isUtf8Charset(charset) || decoderOf(charset) !== null) return
  throw new AlmanacError(
    'integration.unreadable',
    `${name} has the charset "${truncateInput(charset)}", which is not known. Let the target send UTF-8.`,
    { origin: calloutOrigin },
  )
}
