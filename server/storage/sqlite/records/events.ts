// Reads and writes of the logs of events.
import { maxPageCharacters } from '../../../ports/page-size.ts'
import type { ChannelId } from '#kernel/events/index.ts'
import type { EventSubscription, EventTransactor, LoggedEvent } from '../../../ports/events.ts'
import { all, one, run, type Db } from '../db.ts'
import { changeOf, type ChangeRow } from './changes.ts'
import { drainEvents, releaseDrain } from './drain-events.ts'
import { beginEpoch, eventLog, logRow } from './event-logs.ts'
import type { EventBody, EventOutbox } from './event-rows.ts'

/** @param outbox of the transaction */
export function eventStatements(db: Db, outbox: EventOutbox): EventTransactor {
  return {
    publish: async (event) => outbox.publish(event),
    drainEvents: async (request) => {
      outbox.flush()
      return drainEvents(db, request)
    },
    releaseDrain: async (token) => releaseDrain(db, token),
    beginEpoch: async (channel, epoch, at) => {
      const log = logRow(db, channel)
      if (log === undefined || log.epoch > epoch) return
      // The log that was replaced can have had more epochs than this one.
      beginEpoch(db, { ...log, epoch }, { reason: 'restored', at, partitions: log.partitions })
    },
    purgeEvents: async (channel, before, limit) => purgeEvents(db, channel, before, limit),
    eventChannels: async () =>
      all<{ channel: ChannelId }>(db, 'SELECT channel FROM record_log').map(({ channel }) => channel),
    eventLog: async (channel) => eventLog(db, channel),
    events: async (channel, range) => readEvents(db, channel, range),
    olderEvents: async (channel, range) => readEvents(db, channel, range),
    eventTime: async (channel, partition, after) =>
      one<{ at: string }>(
        db,
        `SELECT at FROM record_event
         WHERE log = (SELECT id FROM record_log WHERE channel = ?) AND partition = ? AND sequence > ?
         ORDER BY sequence LIMIT 1`,
        ...[channel, partition, after],
      )?.at ?? null,
    eventBefore: async (channel, partition, at) => eventBefore(db, channel, partition, at),
    waitingEvents: async () =>
      one<{ count: number; oldestAt: string | null }>(
        db,
        `SELECT (SELECT count(*) FROM record_event_outbox) AS count,
         (SELECT at FROM record_event_outbox ORDER BY id LIMIT 1) AS oldestAt`,
      )!,
    subscriptions: async ({ owner = null, channel = null }) =>
      all<SubscriptionRow>(
        db,
        `SELECT owner, name, channel, cursor, created_at, acked_at FROM record_subscription
         WHERE (@owner IS NULL OR owner = @owner) AND (@channel IS NULL OR channel = @channel)
         ORDER BY owner, name`,
        { owner, channel },
      ).map(({ created_at: createdAt, acked_at: ackedAt, ...row }) => ({ ...row, createdAt, ackedAt })),
    putSubscription: async ({ owner, name, channel, cursor, createdAt, ackedAt }) =>
      void run(
        db,
        `INSERT OR REPLACE INTO record_subscription (owner, name, channel, cursor, created_at, acked_at)
         VALUES (@owner, @name, @channel, @cursor, @createdAt, @ackedAt)`,
        { owner, name, channel, cursor, createdAt, ackedAt },
      ),
    removeSubscription: async (owner, name) =>
      run(db, 'DELETE FROM record_subscription WHERE owner = ? AND name = ?', owner, name) > 0,
  }
}

type SubscriptionRow = Pick<EventSubscription, 'owner' | 'name' | 'channel' | 'cursor'> & {
  created_at: string
  acked_at: string | null
}

type ChangeColumns = { [K in keyof Omit<ChangeRow, 'sequence' | 'at'>]: ChangeRow[K] | null }

type ReadRow = ChangeColumns & {
  sequence: number
  event_id: string
  at: string
  change: number | null
  body: string | null
}

type ReadRange = { partition: number; limit: number } & ({ after: number } | { upTo: number })

function readEvents(db: Db, channel: ChannelId, { partition, limit, ...bound }: ReadRange): LoggedEvent[] {
  const [condition, order, from] =
    'after' in bound ? ['e.sequence > ?', 'ASC', bound.after] : ['e.sequence <= ?', 'DESC', bound.upTo]
  const rows = db
    .prepare<unknown[], ReadRow>(
      `SELECT e.sequence, e.event_id, e.at, e.change, e.body,
       c.object, c.record, c.version, c.operation, c.by, c.correlation_id, c.generation, c.fields
       FROM record_event e LEFT JOIN record_change c ON c.sequence = e.change
       WHERE e.log = (SELECT id FROM record_log WHERE channel = ?) AND e.partition = ? AND ${condition}
       ORDER BY e.sequence ${order} LIMIT ?`,
    )
    .iterate(channel, partition, from, limit)
  const found: LoggedEvent[] = []
  let characters = 0
  for (const row of rows) {
    found.push(eventOf(row))
    characters += (row.body ?? row.fields ?? '').length
    if (characters > maxPageCharacters) break
  }
  return found
}

function eventOf({ sequence, event_id: id, at, change, body, ...row }: ReadRow): LoggedEvent {
  if (body !== null) {
    const { sensitive: _sensitive, ...content } = JSON.parse(body) as EventBody
    return { id, sequence, at, content: { kind: 'platform', ...content } }
  }
  if (row.fields === null) throw new Error(`The event ${id} is about change ${change}, which does not exist.`)
  return { id, sequence, at, content: { kind: 'change', change: changeOf({ ...(row as ChangeRow), at }) } }
}

/** Events of a partition are nearly in the order of their times: a save takes at most as long as this, in milliseconds. */
const disorderMs = 5000

function eventBefore(db: Db, channel: ChannelId, partition: number, at: string): number {
  const place = one<{ log: number; partition: number; head: number; tail: number }>(
    db,
    `SELECT l.id AS log, p.partition, p.head, p.tail
     FROM record_log l JOIN record_partition p ON p.log = l.id AND p.partition = ? WHERE l.channel = ?`,
    ...[partition, channel],
  )
  if (place === undefined) return 0
  const after = lastBefore(db, place, new Date(Date.parse(at) - disorderMs).toISOString())
  const first = one<{ sequence: number }>(
    db,
    `SELECT sequence FROM record_event
     WHERE log = @log AND partition = @partition AND sequence > @after AND at >= @at ORDER BY sequence LIMIT 1`,
    { log: place.log, partition, after, at },
  )
  return first === undefined ? place.head : first.sequence - 1
}

/** A number up to which all events are older than an instant, found by halves: a log can have millions of events. */
function lastBefore(
  db: Db,
  { log, partition, head, tail }: { log: number; partition: number; head: number; tail: number },
  at: string,
): number {
  const timeOf = db.prepare<unknown[], { at: string }>(
    'SELECT at FROM record_event WHERE log = ? AND partition = ? AND sequence = ?',
  )
  let [older, younger] = [tail, head + 1]
  while (younger - older > 1) {
    const middle = Math.floor((older + younger) / 2)
    if ((timeOf.get(log, partition, middle)?.at ?? '') < at) older = middle
    else younger = middle
  }
  return older
}

function purgeEvents(db: Db, channel: ChannelId, before: string, limit: number): number {
  const log = logRow(db, channel)
  if (log === undefined) return 0
  let removed = 0
  const partitions = all<{ partition: number; tail: number }>(
    db,
    'SELECT partition, tail FROM record_partition WHERE log = ?',
    log.id,
  )
  for (const { partition, tail } of partitions) {
    const oldest = all<{ sequence: number; at: string }>(
      db,
      `SELECT sequence, at FROM record_event WHERE log = ? AND partition = ? AND sequence > ?
       ORDER BY sequence LIMIT ?`,
      ...[log.id, partition, tail, limit - removed],
    )
    const kept = oldest.findIndex(({ at }) => at >= before)
    const gone = kept === -1 ? oldest : oldest.slice(0, kept)
    if (gone.length === 0) continue
    const last = gone.at(-1)!.sequence
    run(
      db,
      'DELETE FROM record_event WHERE log = ? AND partition = ? AND sequence <= ?',
      ...[log.id, partition, last],
    )
    run(
      db,
      'UPDATE record_partition SET tail = ? WHERE log = ? AND partition = ?',
      ...[last, log.id, partition],
    )
    removed += gone.length
    if (removed >= limit) break
  }
  return removed
}
