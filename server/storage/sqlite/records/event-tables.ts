// The tables of events: those that wait for their numbers, and the logs of channels.
export const eventTables = `
CREATE TABLE record_event_outbox (
  id INTEGER PRIMARY KEY,
  channel TEXT NOT NULL,
  hash INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  at TEXT NOT NULL,
  change INTEGER,
  record TEXT,
  body TEXT,
  digest TEXT NOT NULL
) STRICT;
CREATE TABLE record_event (
  log INTEGER NOT NULL,
  partition INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  at TEXT NOT NULL,
  change INTEGER,
  record TEXT,
  body TEXT,
  digest TEXT NOT NULL,
  PRIMARY KEY (log, partition, sequence)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_event_record ON record_event (record) WHERE record IS NOT NULL;
CREATE TABLE record_log (
  id INTEGER PRIMARY KEY,
  channel TEXT NOT NULL UNIQUE,
  tag TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  partitions INTEGER NOT NULL
) STRICT;
CREATE TABLE record_log_epoch (
  log INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  reason TEXT NOT NULL,
  at TEXT NOT NULL,
  starts TEXT NOT NULL,
  PRIMARY KEY (log, epoch)
) STRICT, WITHOUT ROWID;
CREATE TABLE record_partition (
  log INTEGER NOT NULL,
  partition INTEGER NOT NULL,
  head INTEGER NOT NULL,
  tail INTEGER NOT NULL,
  PRIMARY KEY (log, partition)
) STRICT, WITHOUT ROWID;
CREATE TABLE record_drainer (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  token TEXT,
  until TEXT
) STRICT;
CREATE TABLE record_subscription (
  owner TEXT NOT NULL,
  name TEXT NOT NULL,
  channel TEXT NOT NULL,
  cursor TEXT NOT NULL,
  created_at TEXT NOT NULL,
  acked_at TEXT,
  PRIMARY KEY (owner, name)
) STRICT, WITHOUT ROWID;
`

/** An event as it is stored, before it has a number and after. */
export interface EventRow {
  event_id: string
  at: string
  /** The sequence number of the change that it is about; null for a platform event. */
  change: number | null
  /** Ids of the records that a platform event is about, with spaces between them; null without one. */
  record: string | null
  /** JSON of `EventBody`; null for a change. */
  body: string | null
}
