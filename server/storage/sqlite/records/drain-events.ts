// Moves events from the outbox to the logs of their channels, and numbers them.
import type { ChannelId } from '#kernel/events/index.ts'
import type { DrainedChannel, DrainOutcome, DrainRequest } from '../../../ports/events.ts'
import { all, one, run, type Db } from '../db.ts'
import { RowBatch } from '../row-batch.ts'
import { eventDigest, loggedDigest } from './event-rows.ts'
import { addLog, beginEpoch, logRow, partitionsOf, type LogRow } from './event-logs.ts'
import type { EventRow } from './event-tables.ts'

interface WaitingRow extends EventRow {
  id: number
  channel: ChannelId
  hash: number
  digest: string
}

const eventColumns = [
  ...(['log', 'partition', 'sequence', 'event_id', 'at', 'change', 'record', 'body', 'digest'] as const),
] as const

/**
 * In one transaction, because of which nothing is numbered twice and no number is left out. It takes the rows that are
 * there, not those after the last one: a row with a smaller number can be committed later.
 */
export function drainEvents(db: Db, request: DrainRequest): DrainOutcome {
  if (!takeLease(db, request)) return { kind: 'lost' }
  const rows = all<WaitingRow>(
    db,
    `SELECT id, channel, hash, event_id, at, change, record, body, digest
     FROM record_event_outbox ORDER BY id LIMIT ?`,
    request.limit,
  )
  const logs = new Logs(db, request)
  const wanted = request.hasOtherChannels
    ? request.channels.keys()
    : new Set(rows.map(({ channel }) => channel))
  const changed = new Set<ChannelId>(logs.prepare(wanted))
  const log = new RowBatch(db, 'INSERT INTO record_event', eventColumns)
  for (const { id: _id, channel, hash, digest, ...row } of rows) {
    const { channel: into, ...place } = logs.next(channel, hash)
    // What was not intact is not intact afterwards.
    const isIntact = digest === eventDigest(row, channel, hash)
    log.add({ ...place, ...row, digest: isIntact ? loggedDigest(row, place) : '' })
    changed.add(into)
  }
  log.flush()
  logs.writeHeads()
  if (rows.length > 0) run(db, 'DELETE FROM record_event_outbox WHERE id <= ?', rows.at(-1)!.id)
  const isEmpty = rows.length < request.limit
  if (isEmpty) releaseDrain(db, request.token)
  return { kind: 'drained', channels: [...changed], events: rows.length, isEmpty }
}

/** A drainer that believes to hold the lease, and does not, must not go on. */
function takeLease(db: Db, { token, isHolder, now, until }: DrainRequest): boolean {
  const lease = one<{ token: string | null; until: string | null }>(
    db,
    'SELECT token, until FROM record_drainer WHERE one = 1',
  )
  const isOwn = lease?.token === token && lease.until! > now
  const isFree = lease === undefined || lease.token === null || lease.until! <= now
  if (isHolder ? !isOwn : !isOwn && !isFree) return false
  run(
    db,
    `INSERT INTO record_drainer (one, token, until) VALUES (1, ?, ?)
     ON CONFLICT (one) DO UPDATE SET token = excluded.token, until = excluded.until`,
    token,
    until,
  )
  return true
}

export function releaseDrain(db: Db, token: string): void {
  run(db, 'UPDATE record_drainer SET token = NULL, until = NULL WHERE token = ?', token)
}

/** The logs of a drain, which are read once and written once. */
class Logs {
  readonly #db: Db
  readonly #request: DrainRequest
  readonly #logs = new Map<ChannelId, LogRow>()
  readonly #heads = new Map<number, { heads: number[]; isChanged: boolean }>()
  /** By the channel whose log another one continues. */
  readonly #replaced: ReadonlyMap<ChannelId, ChannelId>

  constructor(db: Db, request: DrainRequest) {
    this.#db = db
    this.#request = request
    this.#replaced = new Map(
      [...request.channels].flatMap(([channel, { replaces }]) =>
        replaces === null ? [] : [[replaces, channel] as const],
      ),
    )
  }

  /** Lets logs follow the channels of the active generation. Returns those whose logs have changed. */
  prepare(channels: Iterable<ChannelId>): ChannelId[] {
    const changed: ChannelId[] = []
    for (const channel of channels) {
      const settings = this.#request.channels.get(channel)
      if (settings === undefined) continue
      const log = logRow(this.#db, channel) ?? this.#continued(channel, settings)
      if (log === undefined) continue
      this.#logs.set(channel, log)
      if (log.partitions === settings.partitions) continue
      const { partitions } = settings
      const epoch = { reason: 'partitions' as const, at: this.#request.now, partitions }
      this.#logs.set(channel, beginEpoch(this.#db, log, epoch))
      changed.push(channel)
    }
    return changed
  }

  /** Where the next event of a channel goes. */
  next(
    channel: ChannelId,
    hash: number,
  ): { channel: ChannelId; log: number; partition: number; sequence: number } {
    const into = this.#request.channels.has(channel) ? channel : (this.#replaced.get(channel) ?? channel)
    const log = this.#logOf(into)
    const known = this.#headsOf(log)
    const partition = hash % log.partitions
    known.isChanged = true
    const sequence = (known.heads[partition]! += 1)
    return { channel: into, log: log.id, partition, sequence }
  }

  writeHeads(): void {
    for (const [log, { heads, isChanged }] of this.#heads)
      if (isChanged)
        for (const [partition, head] of heads.entries())
          run(
            this.#db,
            'UPDATE record_partition SET head = ? WHERE log = ? AND partition = ? AND head < ?',
            ...[head, log, partition, head],
          )
  }

  #logOf(channel: ChannelId): LogRow {
    let log = this.#logs.get(channel)
    if (log === undefined) {
      log =
        logRow(this.#db, channel) ??
        // A channel that was removed since keeps what was committed before.
        addLog(this.#db, channel, this.#request.channels.get(channel)?.partitions ?? 1)
      this.#logs.set(channel, log)
    }
    return log
  }

  #headsOf({ id }: LogRow): { heads: number[]; isChanged: boolean } {
    let known = this.#heads.get(id)
    if (known === undefined) {
      known = { heads: partitionsOf(this.#db, id).map(({ head }) => head), isChanged: false }
      this.#heads.set(id, known)
    }
    return known
  }

  #continued(channel: ChannelId, { replaces }: DrainedChannel): LogRow | undefined {
    if (replaces === null || this.#request.channels.has(replaces)) return undefined
    const log = logRow(this.#db, replaces)
    if (log === undefined) return undefined
    run(this.#db, 'UPDATE record_log SET channel = ? WHERE id = ?', channel, log.id)
    run(this.#db, 'UPDATE record_subscription SET channel = ? WHERE channel = ?', channel, replaces)
    return { ...log, channel }
  }
}
