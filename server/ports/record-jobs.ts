// Jobs over the records of an object. A job continues after a restart at the record where it stopped.
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { CalloutOutcomes, FieldId, ObjectId } from '#kernel/records/index.ts'
import type { DeliveryFilter } from './deliveries.ts'
import type { OutboxFilter } from './outbox.ts'
import type { RecordTable } from './record-table.ts'

/**
 * `recompute` stores what the active generation computes; `rebind` does the same for values that are bound to earlier
 * generations, which releases them; `archive` keeps the evidence of such values instead, and freezes them; `replay` checks
 * that each stored value is reproduced at its generation; `fill` computes stored fields that were added to an object with
 * records, and indexes the words of searched fields; `follow` computes the records whose stored formulas read a record that
 * was changed, each at its generation; `automation` runs the actions that a save left for after its commit; `erase` does
 * what `follow` does after an erasure, checks nothing, and leaves no earlier value in the history; `outbox` handles the dead
 * calls of a filter, `deliveries` the dead deliveries; `operation` is a call of an operation while it makes callouts, which its caller waits for.
 */
export type RecordJobKind =
  | 'recompute'
  | 'rebind'
  | 'replay'
  | 'archive'
  | 'fill'
  | 'follow'
  | 'automation'
  | 'erase'
  | 'outbox'
  | 'deliveries'
  | 'operation'
/** `waiting` for a callout: of an automation in the outbox, of an operation in the process that was called. */
export type RecordJobState = 'queued' | 'processing' | 'waiting' | 'completed' | 'failed' | 'aborted'

export interface RecordJobFailure {
  record: string
  code: string
  message: string
}

export interface RecordJob {
  id: string
  kind: RecordJobKind
  /** Empty for an `outbox` and for `deliveries`. */
  object: ObjectId
  /** Of the records; null for all. */
  filter: string | null
  /** Only records with a value that is bound to a generation before this one; null for all. */
  boundBefore: number | null
  /** The generation that a fill was created for: what is bound to it or to a later one was computed since. */
  filledFor?: number
  /** Whether a recompute or a rebind leaves archived values as they are. */
  keepsArchived: boolean
  /** The fields that a fill computes, or that were erased; empty for other jobs. */
  fields: readonly FieldId[]
  /** The fields whose words a fill indexes; empty for other jobs. */
  searched: readonly FieldId[]
  /** What a `follow` or an `erase` follows; null for other jobs. */
  source: FollowedRecord | null
  /** What an `automation` runs; null for other jobs. */
  automation: PostCommitRun | null
  /** What an `operation` has done; null for other jobs. */
  operation: OperationRun | null
  /** What an `outbox` does; null for other jobs. */
  outbox: OutboxAction | null
  /** What `deliveries` does; null for other jobs. */
  deliveries: DeliveryAction | null
  state: RecordJobState
  createdAt: string
  /** The user with whose rights it runs. */
  createdBy: string
  correlationId: string
  scopePath: ScopePath
  finishedAt: string | null
  /** Records that the job takes, as they were counted before it took the first one; null until then. */
  total: number | null
  /** How far they are counted; null before the first part and after the last one. */
  counting: { after: string | null; counted: number } | null
  /** The last record that was processed. */
  after: string | null
  /** Of an archive that has stopped within a record; null otherwise. */
  part: RecordPart | null
  /** Records that were processed, the failed ones included. */
  done: number
  /** Records that were written; of a replay, with a value that is not reproduced. */
  changed: number
  failed: number
  /** The first failures. */
  failures: readonly RecordJobFailure[]
  /** Why the job ended early; null if it did not. */
  problem: { code: string; message: string } | null
}

/** How far an archive has come within a record: the bundles of its values can be large. */
export interface RecordPart {
  /** The one after the last record that was processed. */
  record: string
  /** The last field that was processed; null for none. */
  field: FieldId | null
  hasArchived: boolean
  hasFailed: boolean
  /** How often the next value was tried. */
  attempts: number
}

/** An automation at post_commit, and the save that has triggered it. */
export interface PostCommitRun {
  /** Of the automation in the generation. */
  key: string
  generation: number
  record: string
  /** Of the record as the save left it. */
  version: number
  /** Of the record as the save found it; 0 if it was added. */
  prior: number
  /** How many automations after commits have led to it. */
  depth: number
  /** How many of its actions have run; none if it is absent. */
  done?: number
  /** What the callouts among them have returned. */
  outcomes?: CalloutOutcomes
  /** The row of the outbox whose delivery it waits for; absent otherwise. */
  waitsFor?: string
}

/** A call of an operation that makes callouts, with what it needs to go on after one. */
export interface OperationRun {
  /** Of the automation in the generation. */
  key: string
  generation: number
  /** As the caller sent them. */
  params: Readonly<Record<string, unknown>>
  asOf: string | null
  /** With which the request can be repeated; null without one. */
  idempotency: { caller: string; key: string; request: string } | null
  /** How many of its actions have run. */
  done: number
  /** What the callouts among them have returned. */
  outcomes: CalloutOutcomes
  /** The callout that follows: the id with which its target recognises a repetition. */
  callId: string
  /** Whether the target may have carried out the callout although nothing came back, and must not receive it again. */
  isUnknown: boolean
  /** The request that makes the callout, and until when it has to end; null if none does. */
  claim: { token: string; until: string } | null
  /** Whether values were erased during a callout, which can return them: the reply is not kept. */
  isErased?: true
  /** The delivery to a webhook endpoint that calls it, and goes on with it; absent for other callers. */
  delivery?: string
}

/** What is done with all dead calls of a filter. */
export interface OutboxAction {
  action: 'requeue' | 'resolve' | 'discard'
  filter: Omit<OutboxFilter, 'states' | 'hasFailed'>
  /** The sequence number of the last effect that it takes. */
  upTo: number
  /** Whether those are sent again that the target could carry out twice. */
  acceptRepeat: boolean
  reason: string
  /** Calls that the last part has discarded: they are in the audit before the next part begins. */
  discarded: readonly DiscardedCall[]
}

/** What is done with all dead deliveries of a filter. */
export interface DeliveryAction {
  action: 'requeue' | 'discard'
  filter: Omit<DeliveryFilter, 'states' | 'hasFailed'>
  /** The id of the last delivery that it takes. */
  upTo: string
  /** Whether callouts are repeated of which it is not known whether they were carried out. */
  acceptRepeat: boolean
  reason: string
  /** Deliveries that the last part has discarded: they are in the audit before the next part begins. */
  discarded: readonly DiscardedDelivery[]
}

export interface DiscardedDelivery {
  id: string
  /** Key of its endpoint when it was received. */
  endpoint: string
  /** The code of the problem. */
  problem: string | null
}

export interface DiscardedCall {
  id: string
  credential: string
  record: string | null
  /** The code of the problem. */
  problem: string | null
}

/** A record that was changed, and how others lead to it. */
export interface FollowedRecord {
  object: ObjectId
  id: string
  /** From the object of the job to the record: each object with its reference. */
  chain: readonly ReferenceStep[]
}

export interface ReferenceStep {
  object: ObjectId
  reference: FieldId
}

export interface RecordJobReader {
  job(id: string): Promise<RecordJob | undefined>
  /** The newest first; only those that were created before a job, if one is given. */
  jobs(limit: number, before?: string): Promise<RecordJob[]>
  /** Queued or processing, the oldest first. */
  openJobs(): Promise<RecordJob[]>
  /** Automations and operations that keep what their callouts have returned. */
  jobsWithOutcomes(): Promise<RecordJob[]>
  /** Stored fields of an object that a job must compute for the records that existed before them. */
  unfilled(table: RecordTable): Promise<FieldId[]>
  /** The generation up to which jobs were created for what has to be filled; null if it is not known. */
  filledUpTo(): Promise<number | null>
  /** Searched fields of an object whose words are not indexed for all records yet. */
  unindexed(table: RecordTable): Promise<FieldId[]>
  /** The records of an object. */
  count(object: ObjectId): Promise<number>
}

export interface RecordJobTransactor extends RecordJobReader {
  putJob(job: RecordJob): Promise<void>
  /** Of an automation or an operation, whose effects are what is left of it. */
  removeJob(id: string): Promise<void>
  /** Removes operations that were called before an instant; those of deliveries stay with them. */
  removeOperations(before: string): Promise<void>
  /** Indexes the words of a record that was written before its fields were searched. */
  indexWords(object: ObjectId, record: string): Promise<void>
  /** Called once a fill has processed all records. */
  markFilled(job: Pick<RecordJob, 'object' | 'fields' | 'searched'>): Promise<void>
  /** The values of these stored fields have to be computed again for all records. */
  markUnfilled(object: ObjectId, fields: readonly FieldId[]): Promise<void>
  /** Jobs are created for what generations up to this one have to fill. */
  noteFilled(generation: number): Promise<void>
}
