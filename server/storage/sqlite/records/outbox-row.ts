// The rows of the outbox as they are stored: what is known of the delivery of an effect that is a call.
import type { RecordEffect } from '../../../ports/record-change.ts'
import type { OutboundCall, OutboxRow, OutboxState } from '../../../ports/outbox.ts'
import { run, type Db } from '../db.ts'
import { rowDigest } from './row-digest.ts'

export const outboxTables = `
ALTER TABLE record_org ADD COLUMN effect INTEGER NOT NULL DEFAULT 0;
CREATE TABLE record_outbox (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  state TEXT NOT NULL,
  credential TEXT NOT NULL,
  record TEXT NOT NULL,
  next_at TEXT,
  claim TEXT,
  claimed_until TEXT,
  body TEXT NOT NULL,
  digest TEXT NOT NULL
) STRICT;
CREATE TABLE record_limit (
  kind TEXT NOT NULL,
  credential TEXT NOT NULL,
  version INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (credential, kind)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX record_outbox_id ON record_outbox (id);
CREATE INDEX record_outbox_due ON record_outbox (credential, next_at, sequence) WHERE state = 'pending';
CREATE INDEX record_outbox_open ON record_outbox (record, credential, sequence) WHERE state IN ('pending', 'sending');
CREATE INDEX record_outbox_claimed ON record_outbox (claimed_until) WHERE state = 'sending';
CREATE INDEX record_outbox_closed ON record_outbox (state, sequence) WHERE state NOT IN ('pending', 'sending');
`

export interface StoredOutbox {
  sequence: number
  id: string
  state: OutboxState
  credential: string
  record: string
  next_at: string | null
  claim: string | null
  claimed_until: string | null
  body: string
}

export type OutboxBody = Pick<
  OutboxRow,
  | 'correlationId'
  | 'scopePath'
  | 'prior'
  | 'job'
  | 'attempts'
  | 'priorAttempts'
  | 'problem'
  | 'resolution'
  | 'isErased'
>

export const outboxColumns = 'sequence, id, state, credential, record, next_at, claim, claimed_until, body'

/** Called in the transaction that writes the effect. */
export function insertOutbox(db: Db, sequence: number, effect: RecordEffect, call: OutboundCall): void {
  const { id, credential, correlationId, scopePath, prior, job } = call
  const body: OutboxBody = {
    correlationId,
    scopePath,
    prior,
    job,
    attempts: [],
    priorAttempts: 0,
    problem: null,
    resolution: null,
  }
  writeOutbox(db, {
    ...{ sequence, id, state: 'pending', credential, record: effect.record },
    ...{ next_at: effect.at, claim: null, claimed_until: null, body: JSON.stringify(body) },
  })
}

export function outboxDigest(row: StoredOutbox): string {
  const { sequence, id, state, credential, record, next_at, claim, claimed_until, body } = row
  return rowDigest(sequence, id, state, credential, record, next_at, claim, claimed_until, body)
}

export function writeOutbox(db: Db, row: StoredOutbox): void {
  run(
    db,
    `INSERT OR REPLACE INTO record_outbox (sequence, id, state, credential, record, next_at, claim, claimed_until, body, digest)
     VALUES (@sequence, @id, @state, @credential, @record, @next_at, @claim, @claimed_until, @body, @digest)`,
    { ...row, digest: outboxDigest(row) },
  )
}
