// Parts of an OData JSON payload. Control information is written with `odata.` in version 4.0, and can be without it later.
import { explainExtent } from '#kernel/components/json-extent.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RemoteResponse } from '../remote-call.ts'
import { LongNumber, parseExactJson } from './exact-json.ts'

/** Of one response; a page has a few thousand. */
const mostValues = 200_000

export type JsonObject = Readonly<Record<string, unknown>>

export const isJsonObject = (json: unknown): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof LongNumber)

export function controlOf(json: JsonObject, name: string): unknown {
  return json[`@odata.${name}`] ?? json[`@${name}`]
}

export interface ListPayload {
  rows: readonly unknown[]
  nextLink: string | null
  /** What a relative link is relative to; null if it is the URL of the request. */
  context: string | null
  /** How many rows the whole list has, if it was asked. */
  count: number | null
}

/** @throws AlmanacError `integration.unreadable` */
export function listPayload(response: RemoteResponse, source: string): ListPayload {
  const json = objectPayload(response, source)
  const rows = json['value']
  const nextLink = controlOf(json, 'nextLink') ?? null
  if (!Array.isArray(rows) || (nextLink !== null && typeof nextLink !== 'string'))
    throw unreadable(
      source,
      'is not a list of OData 4: it has no array "value", or its next link is not a text',
    )
  const count = Number(controlOf(json, 'count') ?? NaN)
  const context = controlOf(json, 'context')
  return {
    rows,
    nextLink,
    context: typeof context === 'string' ? context : null,
    count: Number.isSafeInteger(count) && count >= 0 ? count : null,
  }
}

/** @throws AlmanacError `integration.unreadable` */
export function objectPayload({ text }: RemoteResponse, source: string): JsonObject {
  const fault = explainExtent(Buffer.from(text), mostValues)
  if (fault !== null) throw unreadable(source, fault)
  let json: unknown
  try {
    json = parseExactJson(text)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    // The message of the parser quotes the text.
    throw unreadable(source, 'is not valid JSON, or ends too early')
  }
  if (!isJsonObject(json)) throw unreadable(source, 'is not a JSON object')
  // A source that fails after it has sent the status ends the payload with an error.
  if (controlOf(json, 'error') !== undefined) throw unreadable(source, 'ends with an error of the source')
  return json
}

const unreadable = (source: string, reason: string): AlmanacError =>
  new AlmanacError('integration.unreadable', `The response of ${source} ${reason}.`)

/** A property, or one of a complex property: `Address/City`. */
export function propertyOf(row: JsonObject, path: string): unknown {
  if (!path.includes('/')) return row[path]
  let at: unknown = row
  for (const name of path.split('/')) at = isJsonObject(at) ? at[name] : undefined
  return at
}
