// Ports for time and ids, so that tests can control them.

export interface Clock {
  /** ISO 8601 instant in UTC, milliseconds. */
  now(): string
  /** Today's calendar date of the org, `YYYY-MM-DD`. */
  today(): string
}

export interface IdGenerator {
  /** UUIDv7. */
  uuid(): string
}
