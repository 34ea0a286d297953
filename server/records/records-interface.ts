// What callers can ask of records, and what that needs.
import type { Actor, AuditFact, EffectiveAccess } from '../access/index.ts'
import type { RecordStore } from '../ports/record-store.ts'
import type { RecordSnapshots } from './deps.ts'
import type { DispatchCommand } from './commands/dispatch-command.ts'
import type { CallCommand } from './commands/call-command.ts'
import type { MakeCallout } from './call/run-operation.ts'
import type { AccessOf, SaveCommand } from './commands/save-command.ts'
import type { SaveReply } from './commands/save-reply.ts'
import type { ColumnJob } from './ingest/ingest-columns.ts'
import type { RecordCommand, ReplyTo } from './save-group.ts'
import type { OperationDescription } from './call/operations.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { FieldUse } from '../ports/field-use.ts'
import type { ObjectHistory } from './erase/erase-deps.ts'
import type { EraseCommand, ErasedRows, ErasureCounts } from './erase/erase-record.ts'
import type { RecordIdentity } from './erase/record-identity.ts'
import type { ErasureRequest } from './erase/request-erasure.ts'
import type { ArchivedBundle, MakeEvidence } from './archive/archive-value.ts'
import type { CallerOf } from './caller-of.ts'
import type { EventWrites, RecordEvents } from './events/record-events.ts'
import type { JobCommand } from './jobs/create-job.ts'
import type { RecordJob } from '../ports/record-jobs.ts'
import type { Archives } from './archive/archives.ts'
import type { JobView } from './jobs/job-view.ts'
import type { JobStep, RecordJobWrites } from './jobs/record-job-writes.ts'
import type { ValueExplanation } from './read/explain-value.ts'
import type { ProvenValue } from './read/prove-value.ts'
import type { PreviewRequest } from './read/preview-value.ts'
import type {
  AppDescription,
  AppSummary,
  Erasure,
  RecordHistory,
  ObjectDescription,
  ObjectSummary,
  OperationResult,
  RecordJson,
  RecordName,
  RecordPlace,
  ValuePreview,
} from '#wire/records.ts'
import type { ClientUse } from '#wire/clients.ts'
import type { CallValueView } from '#wire/outbox.ts'
import type { RecordEffect } from '../ports/record-change.ts'
import type { QueryRequest } from './query/run-query.ts'
import type { SearchRequest } from './query/run-search.ts'
import type { FoundRecords } from './read/found-records.ts'
import type { RemoteRecords } from './remote/remote-records.ts'
import type { RemoteSources } from './remote/remote-sources.ts'
import type { RecordPage } from './read/record-page.ts'
import type { RecordViewer } from './read/record-viewers.ts'

/** What the parts of a job leave for the audit, which is not in the transaction of a part. */
export interface JobAudit {
  /** Writes what a process that ended has left. */
  beforePart(id: string): Promise<void>
  afterPart(job: RecordJob): Promise<void>
}

export interface Records {
  list(caller: CallerOf): ObjectSummary[]
  /** Whether the caller can read records of an object. */
  canRead(caller: CallerOf, object: string): boolean
  /** By their order. */
  apps(caller: CallerOf): AppSummary[]
  /** @throws AlmanacError `app.not_found` */
  app(caller: CallerOf, app: string): AppDescription
  /** @throws AlmanacError `object.not_found` */
  describe(caller: CallerOf, object: string): Promise<ObjectDescription>
  /**
   * @param names the fields to read, also along references; all fields if omitted
   * @throws AlmanacError `object.not_found`, `record.not_found`, `access.denied`, `request.invalid`
   */
  get(
    caller: CallerOf,
    object: string,
    id: string,
    names?: readonly string[],
  ): RecordJson | Promise<RecordJson>
  /** The names of records, in the order of the request. */
  names(caller: CallerOf, places: readonly RecordPlace[]): Promise<RecordName[]>
  /** The changes of a record, the newest first. @throws AlmanacError as `get` */
  history(caller: CallerOf, object: string, id: string, page: RecordPage): Promise<RecordHistory>
  /** Why a field of a record has its value. @throws AlmanacError as `get` */
  explain(caller: CallerOf, object: string, id: string, field: string): Promise<ValueExplanation>
  /** What evidence of a stored value contains. @throws AlmanacError as `get`, `record.erased` */
  prove(caller: CallerOf, object: string, id: string, field: string): Promise<ProvenValue>
  /**
   * Archives the evidence of a stored value, whose generation can then be purged.
   * @param version of the record that is expected; any if omitted
   * @throws AlmanacError as `prove`, `conflict.stale_version`
   */
  archive(
    caller: CallerOf,
    by: Actor,
    place: { object: string; id: string; field: string },
    version?: number,
  ): Promise<ArchivedBundle>
  archives: Archives<CallerOf>
  events: RecordEvents
  /**
   * The value that an expression would have for a record of the object whose fields it reads.
   * @throws AlmanacError as `get`, `expression.invalid`, `config.unknown_set`
   */
  preview(caller: CallerOf, id: string, request: PreviewRequest): Promise<ValuePreview>
  /** @throws AlmanacError as `get`, `expression.invalid`, `request.malformed` for a cursor of a different query */
  query(caller: CallerOf, request: QueryRequest): Promise<FoundRecords>
  /** Finds records by the beginnings of words. @throws AlmanacError as `query`, `record.filling` */
  search(caller: CallerOf, request: SearchRequest): Promise<FoundRecords>
  /** Whether a request about these objects waits for a source: one of them is virtual. Keys or aliases. */
  isRemote(caller: CallerOf, objects: readonly string[]): boolean
  /** Changes of single rows of virtual objects. @throws AlmanacError as those of `RemoteRecords` */
  rows: Pick<RowsOf, 'insert' | 'update' | 'delete'>
  /** @throws AlmanacError `limit.save_deadline`, `org.busy`, `storage.*`, `conflict.idempotency_key`: nothing was saved */
  save(command: SaveCommand): Promise<SaveReply>
  /** Runs work that does not wait; the reads of `get` in it share a snapshot if they can. */
  inMoment(work: () => void): void
  /** The operations that the caller can call, by key. */
  operations(caller: CallerOf): OperationDescription[]
  /**
   * Calls an operation.
   * @throws AlmanacError `operation.not_found`, `request.invalid`, `config.as_of_required`, `record.invalid`,
   * `conflict.idempotency_key`, `conflict.operation_running`, `limit.save_*`, `org.busy`, `storage.*`; those of a callout,
   * with the origin `integration.callout`: what the actions before it have saved stays
   */
  call(command: CallCommand): Promise<OperationResult>
  /**
   * Dispatches a delivery to a webhook endpoint that is claimed, and makes the callouts of the automation that it calls.
   * @throws AlmanacError as `runDispatch`, and those of a callout: the actions before it stay done
   */
  dispatch(command: DispatchCommand): Promise<void>
  /** Grows with every write of a record. */
  position(): Promise<number>
  /** The highest position that this process has seen; each read and save of records raises it. */
  observed(): number
  /** Notes a position that another thread has seen. */
  observe(position: number): void
  /** What a call in the outbox sends, without what the caller cannot see. */
  callContent(caller: CallerOf, effect: RecordEffect): Promise<CallValueView[]>
  /** The users among these who can read a record, and why. @throws AlmanacError as `get` */
  viewers(
    caller: CallerOf,
    object: string,
    id: string,
    users: readonly EffectiveAccess[],
  ): Promise<RecordViewer[]>
  /** What clients have used since the last call, to be passed to another thread or to be written. */
  /** Notes that a client uses the object of a bulk job, by a name. */
  noteIngestObject(caller: Pick<CallerOf, 'client' | 'generation'>, object: string): void
  /** Notes that the client of a bulk job uses its columns. */
  noteIngestColumns(caller: Pick<CallerOf, 'client' | 'generation'>, job: IngestColumnsUse): void
  takeUses(): FieldUse[]
  addUses(uses: readonly FieldUse[]): void
  /** Resolves once everything that clients have used until now is written. What cannot be written is kept. */
  flushUses(): Promise<void>
  /** What a client has used. @throws AlmanacError `access.denied` */
  clientUses(caller: CallerOf, client: string): Promise<ClientUse[]>
  /**
   * Erases the sensitive values of a record, which can be a deleted one.
   * @throws AlmanacError `access.denied`, `object.not_found`, `record.not_found`, `request.invalid`, `org.busy`
   */
  erase(caller: CallerOf, by: Actor, request: ErasureRequest): Promise<Erasure>
  /** @throws AlmanacError `object.not_found`, `access.denied`, `expression.invalid` */
  createJob(
    caller: CallerOf,
    by: Actor,
    job: Pick<JobCommand, 'kind' | 'object' | 'filter' | 'boundBefore' | 'keepArchived'>,
  ): Promise<JobView>
  /** Runs a part of a job in the active generation. @throws AlmanacError `record.job_not_found` */
  runStep(step: JobStep): Promise<RecordJob>
  /** The same for a caller. */
  stepJob(caller: CallerOf, id: string): Promise<JobView>
  /** @throws AlmanacError `record.job_not_found` */
  abortJob(caller: CallerOf, id: string): Promise<JobView>
  /** @throws AlmanacError `record.job_not_found` */
  job(caller: CallerOf, id: string): Promise<JobView>
  /** The newest first; only those that were created before the job `before`, if it is given. */
  jobs(caller: CallerOf, page: { limit: number; before?: string | undefined }): Promise<JobPage>
}

export type IngestColumnsUse = Omit<ColumnJob, 'operation'>

export interface JobPage {
  jobs: JobView[]
  /** The last job of the page; null if it is the last page. */
  next: string | null
}

export interface SavedCommand<C extends RecordCommand> {
  reply: ReplyTo<C>
  /** Of the records after the save. */
  position: number
}

export interface RecordsParts extends ObjectHistory {
  store(): RecordStore
  snapshots: RecordSnapshots
  accessOf: AccessOf
  save<C extends RecordCommand>(command: C): Promise<SavedCommand<C>>
  jobs: RecordJobWrites
  events: EventWrites
  erase(command: EraseCommand): Promise<ErasureCounts>
  /** Overwrites the rows of bulk jobs that refer to a record, before it is erased. @throws AlmanacError `storage.*` */
  eraseParts(identity: RecordIdentity): Promise<ErasedRows>
  audit(by: Actor, fact: AuditFact): Promise<void>
  jobAudit: JobAudit
  evidence: MakeEvidence
  makeCallout: MakeCallout
  noteUses(uses: readonly FieldUse[]): Promise<void>
  clock: Clock
  ids: IdGenerator
  /** 32 bytes for cursors, the same in every process of the org. */
  cursorKey(): Buffer
  sources: RemoteSources
}

/** The same for a caller of a request. */
export type RowsOf = {
  [K in 'insert' | 'update' | 'delete']: (
    caller: CallerOf,
    request: Parameters<RemoteRecords[K]>[1],
  ) => ReturnType<RemoteRecords[K]>
}
