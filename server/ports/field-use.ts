// When a registered client, or a webhook endpoint, last used a field of an object, under which name.
import type { FieldId, ObjectId } from '#kernel/records/index.ts'

/** In place of a field: the object itself, by its key or an alias. */
export const objectItself = 0 as FieldId

/** What an endpoint is named as, in place of a client. */
const endpointPrefix = 'webhook_endpoint/'
export const endpointUser = (endpoint: string): string => endpointPrefix + endpoint
/** Key of the endpoint; null for a client. */
export const endpointOfUser = (user: string): string | null =>
  user.startsWith(endpointPrefix) ? user.slice(endpointPrefix.length) : null

export interface FieldUse {
  /** Key of the client; `webhook_endpoint/<key>` for an endpoint, which has no client. */
  client: string
  object: ObjectId
  /** Or `objectItself`. */
  field: FieldId
  /** The key or alias that the client used. */
  name: string
  /** ISO 8601 instant of the last use, to the minute. */
  at: string
}
