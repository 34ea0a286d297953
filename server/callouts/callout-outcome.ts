// What a callout has returned, as the actions that follow read it.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { CalloutOutcome } from '#kernel/records/index.ts'
import type { CalloutResponse } from './callout.ts'
import { calloutOrigin } from './callout-error.ts'
import { explainExtent } from './response-extent.ts'

/**
 * The body of a JSON response is its value, of any other response its text; a body that is neither is left out.
 *
 * @throws AlmanacError `integration.unreadable` if a JSON response is not JSON, `integration.too_large` if it has too many values
 */
export function calloutOutcome({ status, headers, body }: CalloutResponse): CalloutOutcome {
  if (body.length === 0) return { status, body: null }
  const isJson = isJsonType(headers['content-type'] ?? '')
  const text = textOf(body)
  if (!isJson) return { status, body: text === null ? null : JSON.stringify(text) }
  const extent = explainExtent(body)
  if (extent !== null) throw notRead('integration.too_large', status, extent)
  if (text === null || !isJsonText(text)) throw notRead('integration.unreadable', status, 'is not valid JSON')
  return { status, body: text }
}

const notRead = (code: ErrorCode, status: number, reason: string): AlmanacError =>
  new AlmanacError(
    code,
    `The target has carried out the call, but its response (${status}) ${reason}. The actions that follow were not run.`,
    { origin: calloutOrigin },
  )

const isJsonType = (mediaType: string): boolean =>
  /^application\/([^;\s]*\+)?json\s*(;|$)/i.test(mediaType.trim())

/** Null if it is not UTF-8. */
function textOf(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return null
  }
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
