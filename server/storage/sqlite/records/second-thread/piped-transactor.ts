// The transactor of a transaction whose writes another thread performs: reads see the committed records of this thread's
// connection, which nobody else can change, and what the transaction has written.
import type { FieldValue } from '#kernel/components/field-types.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { RecordTransactor, StoredRecord } from '../../../../ports/record-store.ts'
import type { CommittedRecords } from './committed-records.ts'
import { ForeseenRecords } from './foreseen-records.ts'
import { sentCalls, type SentCall, type WriteSender } from './sent-writes.ts'
import type { WrittenRecords } from './written-records.ts'
import type { SentTransaction } from './writing-thread.ts'

/** Thrown if the work does something that this thread cannot, and runs again without the other thread. */
class NeedsOneThread extends Error {
  constructor() {
    super('The transaction changes tables, so one thread runs it.')
  }
}

/** What the other thread is asked, because it knows the written records too. */
const asked = [
  ...(['uses', 'history', 'changedObjects', 'effects', 'objects'] as const),
  ...(['query', 'countFound', 'search', 'page', 'keptReply', 'referredEver'] as const),
  ...([
    'job',
    'jobs',
    'openJobs',
    'jobsWithOutcomes',
    'unfilled',
    'unindexed',
    'filledUpTo',
    'count',
  ] as const),
  ...(['archives', 'archive', 'countEvidence', 'evidence', 'evidenceOf', 'archivedReads'] as const),
  ...(['addEvidence', 'removeArchive'] as const),
  ...(['outboxRow', 'outboxRows', 'countOutbox', 'nextOutboxAt', 'claimOutbox', 'lapsedOutbox'] as const),
  ...(['putOutbox', 'removeOutbox', 'purgeOutbox', 'outboxClaim', 'extendOutbox'] as const),
  ...([
    'limit',
    'limits',
    'swapLimit',
    'outboxAfter',
    'outboxFacts',
    'waitingOutbox',
    'trace',
    'purgeTrace',
  ] as const),
  ...([
    'eventLog',
    'events',
    'olderEvents',
    'eventTime',
    'eventBefore',
    'waitingEvents',
    'subscriptions',
  ] as const),
  ...(['drainEvents', 'purgeEvents', 'eventChannels', 'removeSubscription'] as const),
  ...(['ingest', 'ingests', 'waitingIngests', 'countUnfinishedIngests'] as const),
  ...(['ingestParts', 'ingestBatches'] as const),
  ...(['delivery', 'deliveryBody', 'deliveries', 'deliveriesAfter', 'countDeliveries'] as const),
  ...(['nextDeliveryAt', 'heldEndpoints', 'addDelivery', 'claimDeliveries', 'lapsedDeliveries'] as const),
  ...(['deliveryClaim', 'extendDelivery', 'putDelivery', 'releaseDeliveries'] as const),
  ...(['purgeDeliveries', 'purgeDeliveryKeys'] as const),
] as const

/** They take functions, which cannot be sent. */
const notSent = [
  'rewriteHistory',
  'rewriteEffects',
  'rewriteEvents',
  'rewriteOutbox',
  'rewriteIngests',
  'rewriteDeliveries',
  'emptyReplies',
  'removeEvidence',
] as const

type Method = keyof RecordTransactor
type Own =
  | 'get'
  | 'find'
  | 'boundGenerations'
  | 'position'
  | 'foresee'
  | 'enter'
  | 'insert'
  | 'update'
  | 'remove'
  | 'appendChange'
  | 'savepoint'
type Other = (typeof asked)[number] | (typeof notSent)[number] | SentCall
/** Does not compile if a method of a transactor is neither. */
type Complete = [Exclude<Method, Own | Other>] extends [never] ? object : never
type Call = (...values: readonly unknown[]) => Promise<unknown>

const methods = (names: readonly Method[], make: (name: Method) => Call): Record<string, Call> =>
  Object.fromEntries(names.map((name) => [name, make(name)]))

interface PipedParts {
  committed: CommittedRecords
  written: WrittenRecords
  transaction: SentTransaction
  writes: WriteSender
  /** Called before an error is thrown because of which the work runs again. */
  needsOneThread(): void
}

export function pipedTransactor(parts: PipedParts): RecordTransactor {
  const { committed, written, transaction, writes } = parts
  const boundGenerations = (): readonly number[] => {
    const before = committed.boundGenerations()
    const added = [...written.boundGenerations()].filter((generation) => !before.includes(generation))
    return added.length === 0 ? before : [...before, ...added].sort((a, b) => a - b)
  }
  const write = (kind: 'insert' | 'update', record: StoredRecord): void => {
    written.put(record)
    writes[kind](record)
  }
  const foreseen = new ForeseenRecords(committed)
  const needOneThread = (): never => {
    parts.needsOneThread()
    throw new NeedsOneThread()
  }
  const get = (object: ObjectId, ids: readonly string[]): StoredRecord[] => {
    const records: StoredRecord[] = []
    const others: string[] = []
    for (const id of new Set(ids)) {
      const own = written.get(object, id)
      const record = own === undefined ? foreseen.get(object, id) : own
      if (record === undefined) others.push(id)
      else if (record !== null) records.push(record)
    }
    return others.length === 0 ? records : [...records, ...committed.get(object, others)]
  }
  const find = (object: ObjectId, field: FieldId, value: FieldValue, limit?: number): StoredRecord[] => {
    const key = committed.keyOf(object, field, value)
    const most = limit === undefined ? undefined : limit + written.count(object)
    const before = foreseen.find(object, field, key) ?? committed.find(object, field, value, most)
    const unchanged = before.filter(({ id }) => written.get(object, id) === undefined)
    const found = written.find(object, field, key)
    if (found.length === 0) return unchanged.slice(0, limit)
    return [...unchanged, ...found].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit)
  }
  const own: Pick<RecordTransactor, Own> = {
    get: async (object, ids) => get(object, ids),
    find: async (object, field, value, limit) => find(object, field, value, limit),
    enter: async (tables) => {
      if (!tables.every((table) => committed.hasRoomFor(table))) needOneThread()
    },
    boundGenerations: async () => boundGenerations(),
    position: async () => written.position,
    foresee: async (all) => foreseen.read(all),
    insert: async (record) => write('insert', record),
    update: async (record) => write('update', record),
    remove: async (object, id) => {
      written.remove(object, id)
      writes.remove(object, id)
    },
    savepoint: async (work) => {
      written.openLayer()
      writes.mark('savepoint')
      let isDone = false
      try {
        const result = await work()
        isDone = true
        return result
      } finally {
        written.closeLayer(isDone)
        writes.mark(isDone ? 'release' : 'undo')
      }
    },
    appendChange: async (change) => {
      written.position += 1
      writes.change(change)
    },
  }
  const others = {
    ...methods(
      asked,
      (name) =>
        (...values) =>
          transaction.call(name, values),
    ),
    ...methods(
      sentCalls,
      (name) =>
        async (...values) =>
          writes.call(name as never, ...values),
    ),
    ...methods(notSent, () => async () => needOneThread()),
  }
  return { ...(others as unknown as Pick<RecordTransactor, Other> & Complete), ...own }
}
