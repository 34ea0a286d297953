// Statements on deliveries to webhook endpoints, within a transaction of the records.
import type {
  DeliveryClaim,
  DeliveryCounts,
  DeliveryReader,
  DeliveryTransactor,
  NewDelivery,
} from '../../../ports/deliveries.ts'
import { all, one, run, type Db } from '../db.ts'
import { deliveryCount, deliveryPage, deliveryStates } from './delivery-list.ts'
import {
  deliveryBodyDigest,
  deliveryColumns,
  deliveryKeyDigest,
  deliveryOf,
  findDelivery,
  storedDelivery,
  writeDelivery,
  type StoredDelivery,
} from './delivery-row.ts'
import { rewriteDeliveries } from './rewrite-deliveries.ts'

export function deliveryStatements(db: Db): DeliveryTransactor {
  return {
    ...deliveryReads(db),
    addDelivery: async (added, now) => addDelivery(db, added, now),
    claimDeliveries: async (request) => claim(db, request).map(deliveryOf),
    lapsedDeliveries: async (now) =>
      all<StoredDelivery>(
        db,
        `SELECT ${deliveryColumns} FROM record_delivery
         WHERE state = 'dispatching' AND claimed_until <= ? ORDER BY id`,
        now,
      ).map(deliveryOf),
    deliveryClaim: async (id) => findDelivery(db, id)?.claim ?? null,
    extendDelivery: async (id, token, until) => {
      const row = findDelivery(db, id)
      if (row?.claim !== token) return false
      writeDelivery(db, { ...row, claimed_until: until })
      return true
    },
    putDelivery: async (delivery, token) => {
      const before = findDelivery(db, delivery.id)
      if (before === undefined || before.claim !== token) return false
      writeDelivery(db, storedDelivery(delivery, before))
      return true
    },
    releaseDeliveries: async (endpoint, at, limit) => {
      const rows = all<StoredDelivery>(
        db,
        `SELECT ${deliveryColumns} FROM record_delivery WHERE state = 'held' AND endpoint = ? ORDER BY id LIMIT ?`,
        ...[endpoint, limit],
      )
      for (const row of rows)
        writeDelivery(
          db,
          storedDelivery({ ...deliveryOf(row), state: 'pending', nextAttemptAt: at, problem: null }),
        )
      return rows.length
    },
    purgeDeliveries: async (before, limit) => {
      const ids = all<{ id: string }>(
        db,
        'SELECT id FROM record_delivery WHERE closed_at < ? ORDER BY closed_at, id LIMIT ?',
        ...[before, limit],
      ).map(({ id }) => id)
      const list = JSON.stringify(ids)
      run(db, 'DELETE FROM record_delivery_body WHERE id IN (SELECT value FROM json_each(?))', list)
      run(db, 'DELETE FROM record_delivery WHERE id IN (SELECT value FROM json_each(?))', list)
      return ids.length
    },
    purgeDeliveryKeys: async (now, limit) =>
      run(
        db,
        `DELETE FROM record_delivery_key WHERE (endpoint, key) IN
         (SELECT endpoint, key FROM record_delivery_key WHERE until <= ? ORDER BY until LIMIT ?)`,
        ...[now, limit],
      ),
    rewriteDeliveries: async (records, rewrite) => rewriteDeliveries(db, records, rewrite),
  }
}

function deliveryReads(db: Db): DeliveryReader {
  return {
    delivery: async (id) => {
      const row = findDelivery(db, id)
      return row === undefined ? undefined : deliveryOf(row)
    },
    deliveryBody: async (id) =>
      one<{ bytes: Uint8Array }>(db, 'SELECT bytes FROM record_delivery_body WHERE id = ?', id)?.bytes,
    deliveries: async (filter, limit, before) => {
      const range = before === undefined ? [] : ['id < @before']
      const { sql, parameters } = deliveryPage(filter, range, 'DESC')
      return all<StoredDelivery>(db, sql, { ...parameters, before, limit }).map(deliveryOf)
    },
    deliveriesAfter: async (filter, { after, upTo, limit }) => {
      const { sql, parameters } = deliveryPage(filter, ['id > @after', 'id <= @upTo'], 'ASC')
      return all<StoredDelivery>(db, sql, { ...parameters, after, upTo, limit }).map(deliveryOf)
    },
    countDeliveries: async (filter) =>
      Object.fromEntries(
        deliveryStates.map((state) => {
          const { sql, parameters } = deliveryCount(state, filter)
          return [state, one<{ count: number }>(db, sql, parameters)!.count]
        }),
      ) as DeliveryCounts,
    nextDeliveryAt: async () =>
      one<{ at: string | null }>(
        db,
        `${pendingEndpoints} SELECT min(at) AS at FROM (
           SELECT (
             SELECT min(next_at) FROM record_delivery d
             WHERE d.state = 'pending' AND d.endpoint = pending.endpoint
           ) AS at FROM pending WHERE endpoint IS NOT NULL
           UNION ALL SELECT min(claimed_until) FROM record_delivery WHERE state = 'dispatching'
         )`,
      )!.at,
    heldEndpoints: async () =>
      all<{ endpoint: string }>(
        db,
        `WITH RECURSIVE held (endpoint) AS (
           SELECT min(endpoint) FROM record_delivery WHERE state = 'held'
           UNION ALL SELECT (
             SELECT min(d.endpoint) FROM record_delivery d WHERE d.state = 'held' AND d.endpoint > held.endpoint
           ) FROM held WHERE endpoint IS NOT NULL
         ) SELECT endpoint FROM held WHERE endpoint IS NOT NULL`,
      ).map(({ endpoint }) => endpoint),
  }
}

/** A unique key of the database decides: of two at once, one is stored. */
function addDelivery(db: Db, { delivery, body, keys, keptUntil }: NewDelivery, now: string): string | null {
  const { endpoint, id } = delivery
  const known = keys
    .map((key) =>
      one<{ delivery: string; until: string }>(
        db,
        'SELECT delivery, until FROM record_delivery_key WHERE endpoint = ? AND key = ?',
        ...[endpoint, key],
      ),
    )
    .find((each) => each !== undefined && each.until > now)
  if (known !== undefined) return known.delivery
  for (const key of keys) {
    const row = { endpoint, key, delivery: id, until: keptUntil }
    run(
      db,
      `INSERT OR REPLACE INTO record_delivery_key (endpoint, key, delivery, until, digest)
       VALUES (@endpoint, @key, @delivery, @until, @digest)`,
      { ...row, digest: deliveryKeyDigest(row) },
    )
  }
  writeDelivery(db, storedDelivery(delivery))
  const stored = { id, bytes: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }
  run(db, 'INSERT INTO record_delivery_body (id, bytes, digest) VALUES (@id, @bytes, @digest)', {
    ...stored,
    digest: deliveryBodyDigest(stored),
  })
  return null
}

/** Each endpoint of pending deliveries, found by a step in the index: there can be very many of each. */
const pendingEndpoints = `WITH RECURSIVE pending (endpoint) AS (
  SELECT min(endpoint) FROM record_delivery WHERE state = 'pending'
  UNION ALL SELECT (
    SELECT min(d.endpoint) FROM record_delivery d WHERE d.state = 'pending' AND d.endpoint > pending.endpoint
  ) FROM pending WHERE endpoint IS NOT NULL
)`

function claim(db: Db, { now, until, token, limit, perEndpoint }: DeliveryClaim): StoredDelivery[] {
  const endpoints = all<{ endpoint: string }>(
    db,
    `${pendingEndpoints} SELECT endpoint FROM (
       SELECT endpoint, (
         SELECT min(next_at) FROM record_delivery d WHERE d.state = 'pending' AND d.endpoint = pending.endpoint
       ) AS at FROM pending WHERE endpoint IS NOT NULL
     ) WHERE at <= ? ORDER BY at`,
    now,
  )
  const found: StoredDelivery[] = []
  for (const { endpoint } of endpoints) {
    const { claimed } = one<{ claimed: number }>(
      db,
      `SELECT count(*) AS claimed FROM record_delivery WHERE state = 'dispatching' AND endpoint = ?`,
      endpoint,
    )!
    const room = Math.min(perEndpoint - claimed, limit - found.length)
    if (room <= 0) continue
    found.push(
      ...all<StoredDelivery>(
        db,
        `SELECT ${deliveryColumns} FROM record_delivery
         WHERE state = 'pending' AND endpoint = ? AND next_at <= ? ORDER BY next_at, id LIMIT ?`,
        ...[endpoint, now, room],
      ),
    )
  }
  return found.map((row) => {
    const claimed: StoredDelivery = {
      ...row,
      ...{ state: 'dispatching', next_at: null, claim: token, claimed_until: until },
    }
    writeDelivery(db, claimed)
    return claimed
  })
}
