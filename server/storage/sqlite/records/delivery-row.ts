// Deliveries as they are stored: what is known of each, its body, and the keys by which a repeated one is recognised.
import { hash } from 'node:crypto'
import type { Delivery, DeliveryState } from '../../../ports/deliveries.ts'
import { one, run, type Db } from '../db.ts'
import { rowDigest } from './row-digest.ts'

export const deliveryTables = `
CREATE TABLE record_delivery (
  id TEXT PRIMARY KEY,
  endpoint TEXT NOT NULL,
  state TEXT NOT NULL,
  at TEXT NOT NULL,
  correlation TEXT NOT NULL,
  record TEXT NOT NULL,
  next_at TEXT,
  claim TEXT,
  claimed_until TEXT,
  closed_at TEXT,
  body TEXT NOT NULL,
  digest TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE record_delivery_body (
  id TEXT NOT NULL,
  bytes BLOB NOT NULL,
  digest TEXT NOT NULL
) STRICT;
CREATE TABLE record_delivery_key (
  endpoint TEXT NOT NULL,
  key TEXT NOT NULL,
  delivery TEXT NOT NULL,
  until TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (endpoint, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX record_delivery_due ON record_delivery (endpoint, next_at, id) WHERE state = 'pending';
CREATE INDEX record_delivery_held ON record_delivery (endpoint, id) WHERE state = 'held';
CREATE INDEX record_delivery_claimed ON record_delivery (claimed_until, endpoint) WHERE state = 'dispatching';
CREATE INDEX record_delivery_state ON record_delivery (state, id);
CREATE INDEX record_delivery_correlation ON record_delivery (correlation, id);
CREATE INDEX record_delivery_record ON record_delivery (record, id) WHERE record <> '';
CREATE INDEX record_delivery_closed ON record_delivery (closed_at, id) WHERE closed_at IS NOT NULL;
CREATE UNIQUE INDEX record_delivery_body_id ON record_delivery_body (id);
CREATE INDEX record_delivery_key_until ON record_delivery_key (until);
`

export interface StoredDelivery {
  id: string
  endpoint: string
  state: DeliveryState
  at: string
  correlation: string
  /** `<object>/<id>`; empty if none is known. */
  record: string
  next_at: string | null
  claim: string | null
  claimed_until: string | null
  closed_at: string | null
  body: string
}

type DeliveryFacts = Omit<
  Delivery,
  'id' | 'endpoint' | 'state' | 'receivedAt' | 'correlationId' | 'nextAttemptAt'
>

export const deliveryColumns =
  'id, endpoint, state, at, correlation, record, next_at, claim, claimed_until, closed_at, body'

export function deliveryOf(row: StoredDelivery): Delivery {
  return {
    ...(JSON.parse(row.body) as DeliveryFacts),
    ...{ id: row.id, endpoint: row.endpoint, state: row.state, receivedAt: row.at },
    ...{ correlationId: row.correlation, nextAttemptAt: row.next_at },
  }
}

/** @param claim of a delivery that is being dispatched */
export function storedDelivery(
  { id, endpoint, state, receivedAt: at, correlationId: correlation, nextAttemptAt, ...facts }: Delivery,
  claim: Pick<StoredDelivery, 'claim' | 'claimed_until'> | null = null,
): StoredDelivery {
  const { dispatchedAt, resolution, result } = facts
  const isClaimed = state === 'dispatching'
  return {
    ...{ id, endpoint, state, at, correlation, record: result?.record ?? '' },
    next_at: state === 'pending' ? nextAttemptAt : null,
    claim: isClaimed ? (claim?.claim ?? null) : null,
    claimed_until: isClaimed ? (claim?.claimed_until ?? null) : null,
    closed_at:
      state === 'dispatched' ? dispatchedAt : state === 'discarded' ? (resolution?.at ?? null) : null,
    body: JSON.stringify(facts satisfies DeliveryFacts),
  }
}

export function deliveryDigest(row: StoredDelivery): string {
  const { id, endpoint, state, at, correlation, record, next_at, claim, claimed_until, closed_at, body } = row
  return rowDigest(
    ...[id, endpoint, state, at, correlation, record, next_at, claim, claimed_until, closed_at, body],
  )
}

export function writeDelivery(db: Db, row: StoredDelivery): void {
  run(
    db,
    `INSERT OR REPLACE INTO record_delivery
     (id, endpoint, state, at, correlation, record, next_at, claim, claimed_until, closed_at, body, digest)
     VALUES (@id, @endpoint, @state, @at, @correlation, @record, @next_at, @claim, @claimed_until, @closed_at, @body, @digest)`,
    { ...row, digest: deliveryDigest(row) },
  )
}

export const findDelivery = (db: Db, id: string): StoredDelivery | undefined =>
  one<StoredDelivery>(db, `SELECT ${deliveryColumns} FROM record_delivery WHERE id = ?`, id)

export interface DeliveryBodyRow {
  id: string
  bytes: Uint8Array
}

export const deliveryBodyDigest = ({ id, bytes }: DeliveryBodyRow): string =>
  rowDigest(id, hash('sha256', bytes, 'base64url'))

export interface DeliveryKeyRow {
  endpoint: string
  key: string
  delivery: string
  until: string
}

export const deliveryKeyDigest = ({ endpoint, key, delivery, until }: DeliveryKeyRow): string =>
  rowDigest(endpoint, key, delivery, until)
