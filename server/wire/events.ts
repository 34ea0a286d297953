// Events as they cross HTTP.
export interface EventJson {
  /** UUID. A consumer can receive an event twice, and recognises it by this. */
  eventId: string
  /** A whole number, which grows by one within its partition. */
  sequence: string
  /** ISO 8601 instant. */
  commitTs: string
  partition: number
  correlationId: string
  generation: number
  /** Of a change: `{ object, id, operation, changed, prior, user }`. */
  payload: object
}
