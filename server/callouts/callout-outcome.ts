// What a callout has returned, as the actions that follow read it.
import { explainExtent } from '#kernel/components/json-extent.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { CalloutOutcome } from '#kernel/records/index.ts'
import type { CalloutResponse } from './callout.ts'
import { calloutOrigin } from './callout-error.ts'
import { requireKnownCharset } from './response-charset.ts'

/** What is kept of a body, in UTF-8 bytes and in values: the actions that follow read it within the time of a save. */
const most = { bytes: 1024 * 1024, values: 20_000 }

/**
 * The body of a JSON response is its value, of any other response its text; a body that is neither is left out.
 *
 * @throws AlmanacError `integration.unreadable` if a JSON response is not JSON or its charset is not known, `integration.too_large`
 */
export function calloutOutcome({ status, headers, body }: CalloutResponse): CalloutOutcome {
  if (body.length === 0) return { status, body: null }
  if (body.length > most.bytes) throw tooLarge(status, `has more than ${most.bytes / 1024 / 1024} MiB`)
  const mediaType = headers['content-type'] ?? ''
  const isJson = isJsonType(mediaType)
  if (isJson || mediaType.startsWith('text/'))
    requireKnownCharset(mediaType, `The target has carried out the call, but its response (${status})`)
  const text = textOf(body)
  if (!isJson) return { status, body: text === null ? null : JSON.stringify(text) }
  const fault = explainExtent(body, most.values)
  if (fault !== null) throw tooLarge(status, fault)
  if (text === null || !isJsonText(text))
    throw new AlmanacError(
      'integration.unreadable',
      `The target has carried out the call, but its response (${status}) is not valid JSON, so the actions that follow were not run.`,
      { origin: calloutOrigin },
    )
  return { status, body: text }
}

const tooLarge = (status: number, fault: string): AlmanacError =>
  new AlmanacError(
    'integration.too_large',
    `The target has carried out the call, but its response (${status}) ${fault}, which is more than an automation reads, so the actions that follow were not run. Call a path that returns less.`,
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
