// The logs of channels: how far each partition is, and where their epochs begin.
import { randomBytes } from 'node:crypto'
import type { ChannelId } from '#kernel/events/index.ts'
import type { EpochReason, EventLog, LogEpoch, LogPartition } from '../../../ports/events.ts'
import { all, one, run, type Db } from '../db.ts'

export interface LogRow {
  id: number
  channel: ChannelId
  tag: string
  epoch: number
  partitions: number
}

export function logRow(db: Db, channel: ChannelId): LogRow | undefined {
  return one(db, 'SELECT id, channel, tag, epoch, partitions FROM record_log WHERE channel = ?', channel)
}

export function addLog(db: Db, channel: ChannelId, partitions: number): LogRow {
  const tag = randomBytes(6).toString('base64url')
  run(
    db,
    'INSERT INTO record_log (channel, tag, epoch, partitions) VALUES (?, ?, 1, ?)',
    channel,
    tag,
    partitions,
  )
  const log = logRow(db, channel)!
  addPartitions(db, log)
  return log
}

function addPartitions(db: Db, { id, partitions }: LogRow): void {
  for (let partition = 0; partition < partitions; partition += 1)
    run(
      db,
      'INSERT INTO record_partition (log, partition, head, tail) VALUES (?, ?, 0, 0) ON CONFLICT DO NOTHING',
      id,
      partition,
    )
}

/** The partitions of all epochs, in their order. */
export function partitionsOf(db: Db, log: number): LogPartition[] {
  return all(db, 'SELECT head, tail FROM record_partition WHERE log = ? ORDER BY partition', log)
}

/** Numbers go on where they were, so that none is used twice. */
export function beginEpoch(
  db: Db,
  log: LogRow,
  { reason, at, partitions }: { reason: EpochReason; at: string; partitions: number },
): LogRow {
  const next = { ...log, epoch: log.epoch + 1, partitions }
  addPartitions(db, next)
  const starts = partitionsOf(db, log.id).map(({ head }) => head)
  run(
    db,
    `INSERT INTO record_log_epoch (log, epoch, reason, at, starts)
     VALUES (@log, @epoch, @reason, @at, @starts)`,
    { log: log.id, epoch: next.epoch, reason, at, starts: JSON.stringify(starts) },
  )
  run(db, 'UPDATE record_log SET epoch = ?, partitions = ? WHERE id = ?', ...[next.epoch, partitions, log.id])
  return next
}

export function eventLog(db: Db, channel: ChannelId): EventLog | undefined {
  const log = logRow(db, channel)
  if (log === undefined) return undefined
  const epochs = all<Omit<LogEpoch, 'starts'> & { starts: string }>(
    db,
    'SELECT epoch, reason, at, starts FROM record_log_epoch WHERE log = ? ORDER BY epoch',
    log.id,
  )
  return {
    tag: log.tag,
    epoch: log.epoch,
    partitions: partitionsOf(db, log.id).slice(0, log.partitions),
    epochs: epochs.map((each) => ({ ...each, starts: JSON.parse(each.starts) as number[] })),
  }
}
