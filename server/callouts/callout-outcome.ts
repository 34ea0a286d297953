// What a callout has returned, as the actions that follow read it.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { CalloutOutcome } from '#kernel/records/index.ts'
import { isTooDeep } from '#kernel/service-values/index.ts'
import type { CalloutResponse } from './callout.ts'
import { calloutOrigin } from './callout-error.ts'

/**
 * The body of a JSON response is its value, of any other response its text; a body that is neither is left out.
 *
 * @throws AlmanacError `integration.unreadable` if a JSON response is not JSON
 */
export function calloutOutcome({ status, headers, body }: CalloutResponse): CalloutOutcome {
  if (body.length === 0) return { status, body: null }
  const isJson = isJsonType(headers['content-type'] ?? '')
  const text = textOf(body)
  if (!isJson) return { status, body: text === null ? null : JSON.stringify(text) }
  if (text === null || !isJsonText(text))
    throw new AlmanacError(
      'integration.unreadable',
      `The target has carried out the call, but its response (${status}) is not valid JSON, or is nested too deeply, so the actions that follow were not run.`,
      { origin: calloutOrigin },
    )
  return { status, body: text }
}

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
  if (isTooDeep(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
