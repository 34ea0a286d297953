// Events that wait for their numbers: written in the transaction that they belong to.
import { randomUUID } from 'node:crypto'
import { partitionHash, type ChannelId } from '#kernel/events/index.ts'
import type { PlatformEvent } from '../../../ports/events.ts'
import type { Db } from '../db.ts'
import { RowBatch } from '../row-batch.ts'
import type { EventRow } from './event-tables.ts'
import { rowDigest } from './row-digest.ts'

/** What is stored of a platform event besides its columns. */
export type EventBody = Pick<
  PlatformEvent,
  'payload' | 'actor' | 'correlationId' | 'generation' | 'sensitive'
>

const outboxColumns = [
  ...(['channel', 'hash', 'event_id', 'at', 'change', 'record', 'body', 'digest'] as const),
] as const

/** @param place of the row: the channel and the hash as it waits; the log, the partition and the number then */
export function eventDigest(
  { event_id, at, change, record, body }: EventRow,
  ...place: readonly (string | number)[]
): string {
  return rowDigest(event_id, at, change, record, body, ...place)
}

export interface EventPlace {
  log: number
  partition: number
  sequence: number
}

export const loggedDigest = (row: EventRow, { log, partition, sequence }: EventPlace): string =>
  eventDigest(row, log, partition, sequence)

/** Appends events in one transaction. */
export class EventOutbox {
  readonly #rows: RowBatch<(typeof outboxColumns)[number]>

  constructor(db: Db) {
    this.#rows = new RowBatch(db, 'INSERT INTO record_event_outbox', outboxColumns)
  }

  /** @param change its sequence number */
  capture(
    channels: readonly ChannelId[],
    { record, at }: { record: string; at: string },
    change: number,
  ): void {
    const hash = partitionHash(record)
    for (const channel of channels) {
      const row = { event_id: randomUUID(), at, change, record: null, body: null }
      this.#rows.add({ channel, hash, ...row, digest: eventDigest(row, channel, hash) })
    }
  }

  publish({ id, channel, hash, at, records, ...event }: PlatformEvent): void {
    const { payload, actor, correlationId, generation, sensitive } = event
    const body: EventBody = { payload, actor, correlationId, generation, sensitive }
    const record = records.length === 0 ? null : records.join(' ')
    const row = { event_id: id, at, change: null, record, body: JSON.stringify(body) }
    this.#rows.add({ channel, hash, ...row, digest: eventDigest(row, channel, hash) })
  }

  flush(): void {
    this.#rows.flush()
  }

  forget(): void {
    this.#rows.clear()
  }
}
