// Time and identity come in through ports, so that every engine can be held still (style 7).

export interface Clock {
  /** ISO 8601 instant in UTC, milliseconds. */
  now(): string
  /** The org's calendar date of today, `YYYY-MM-DD`. */
  today(): string
}

export interface Ids {
  /** UUIDv7. */
  uuid(): string
}
