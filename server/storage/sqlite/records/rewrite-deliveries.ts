// Replaces erased values in the bodies of deliveries, which are stored as they were received, and in their messages.
import type { DeliveryRewrite } from '../../../ports/deliveries.ts'
import { all, one, run, type Db } from '../db.ts'
import {
  deliveryBodyDigest,
  deliveryColumns,
  deliveryDigest,
  deliveryOf,
  storedDelivery,
  type DeliveryBodyRow,
  type StoredDelivery,
} from './delivery-row.ts'

type Digested<T> = T & { digest: string }

/** Deliveries of the records, and those of which no record is known. */
export function rewriteDeliveries(db: Db, records: ReadonlySet<string>, rewrite: DeliveryRewrite): void {
  const rows = all<Digested<StoredDelivery>>(
    db,
    `SELECT ${deliveryColumns}, digest FROM record_delivery
     WHERE record = '' OR substr(record, instr(record, '/') + 1) IN (SELECT value FROM json_each(?))`,
    JSON.stringify([...records]),
  )
  for (const row of rows) {
    rewriteMessages(db, row, rewrite)
    rewriteBody(db, row, rewrite)
  }
}

function rewriteMessages(
  db: Db,
  { digest, ...row }: Digested<StoredDelivery>,
  rewrite: DeliveryRewrite,
): void {
  const before = deliveryOf(row)
  const { problem, attempts, resolution } = before
  const rewritten = <T extends { detail: string } | null>(each: T): T =>
    each === null ? each : { ...each, detail: rewrite.message(each.detail) }
  const { body } = storedDelivery({
    ...before,
    problem: rewritten(problem),
    attempts: attempts.map((each) => ({ ...each, error: rewritten(each.error) })),
    resolution: resolution === null ? null : { ...resolution, reason: rewrite.message(resolution.reason) },
  })
  if (body === row.body) return
  const next = deliveryDigest(row) === digest ? deliveryDigest({ ...row, body }) : ''
  run(db, 'UPDATE record_delivery SET body = ?, digest = ? WHERE id = ?', body, next, row.id)
}

function rewriteBody(db: Db, { id, record }: StoredDelivery, rewrite: DeliveryRewrite): void {
  const stored = one<Digested<DeliveryBodyRow>>(
    db,
    'SELECT id, bytes, digest FROM record_delivery_body WHERE id = ?',
    id,
  )
  if (stored === undefined) return
  const before = Buffer.from(stored.bytes).toString()
  const after = rewrite.body(before, record !== '')
  if (after === before) return
  const next = { id, bytes: Buffer.from(after) }
  const digest = deliveryBodyDigest(stored) === stored.digest ? deliveryBodyDigest(next) : ''
  run(db, 'UPDATE record_delivery_body SET bytes = ?, digest = ? WHERE id = ?', next.bytes, digest, id)
}
