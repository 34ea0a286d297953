// Ports for time and ids, so that tests can control them.

export interface Clock {
  /** ISO 8601 instant in UTC, milliseconds. */
  now(): string
  /** Today's calendar date of the org, `YYYY-MM-DD`. */
  today(): string
}

/** The clock of a machine. */
export interface MachineClock extends Clock {
  /** The same as `now`, in milliseconds since 1970. */
  epochMs?(): number
}

/** The clock of an org, which is never behind a time that the org has stored. */
export interface OrgClock extends Clock {
  /**
   * The same as `now`, in milliseconds since 1970, for a caller that has just read the position of the org: the clock
   * does not read it again.
   */
  timeAt(position: number): number
}

export interface IdGenerator {
  /** UUIDv7. */
  uuid(): string
}
