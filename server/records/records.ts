// Records for callers: reads as they can see them, and saves through a runner, which can be in a different thread.
import type { ScopePath } from '#kernel/components/scopes.ts'
import { requirePermission, type Actor, type AuditFact, type EffectiveAccess } from '../access/index.ts'
import type { RecordReader, RecordStore, StoredRecord } from '../ports/record-store.ts'
import type { RecordSnapshots } from './deps.ts'
import type { CallCommand } from './commands/call-command.ts'
import { runOperation, type MakeCallout } from './call/run-operation.ts'
import type { AccessOf, SaveCommand } from './commands/save-command.ts'
import type { SaveReply } from './commands/save-reply.ts'
import type { RecordCommand, ReplyTo } from './save-group.ts'
import { listOperations, type OperationDescription } from './call/operations.ts'
import { didYouMean } from '#kernel/errors/suggest.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import { objectOfSite } from '#kernel/expr/index.ts'
import { fieldKey, type FieldId, type ObjectPrograms, type RecordView } from '#kernel/records/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import { objectItself, type FieldUse } from '../ports/field-use.ts'
import { createFieldUses, type UsedField } from './uses/field-uses.ts'
import { usedAlong, usedByCall, usedByCommand, usedObject } from './uses/used-fields.ts'
import type { ObjectHistory } from './erase/erase-deps.ts'
import type { EraseCommand, ErasureCounts } from './erase/erase-record.ts'
import { checkErasure, type ErasureRequest } from './erase/request-erasure.ts'
import {
  archivedRecordOf,
  archiveFact,
  valueToArchive,
  type ArchivedBundle,
  type MakeEvidence,
} from './archive/archive-value.ts'
import { checkJob, jobFact, type JobCommand } from './jobs/create-job.ts'
import type { RecordJob } from '../ports/record-jobs.ts'
import { runArchiveStep, type ArchiveStepParts } from './archive/archive-step.ts'
import { createArchives, type Archives } from './archive/archives.ts'
import { jobView, type JobView } from './jobs/job-view.ts'
import { jobNotFound, type JobStep, type RecordJobWrites } from './jobs/record-job-writes.ts'
import { isOpen } from './jobs/run-job-step.ts'
import { explainValue, type Explaining, type ValueExplanation } from './read/explain-value.ts'
import { namedObjects, namedPlaces, recordNames } from './read/record-names.ts'
import { proveValue, type ProvenValue } from './read/prove-value.ts'
import { previewValue, type PreviewRequest } from './read/preview-value.ts'
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
import { describeObject, listObjects } from './describe.ts'
import { describeApp, listApps } from './placed/apps.ts'
import { createCursorSeal } from './query/cursor-seal.ts'
import { runQuery, type QueryRequest } from './query/run-query.ts'
import { runSearch, type SearchRequest } from './query/run-search.ts'
import { fullRead, isReadAlone } from './read/full-read.ts'
import { projectionOf, type ProjectedField } from './read/projection.ts'
import { createRecordCallers, readableObject, storedObject, type RecordCaller } from './read/record-caller.ts'
import type { FoundRecords } from './read/found-records.ts'
import { RemoteReferences } from './read/remote-references.ts'
import { createRemoteRecords, isVirtualObject, type RemoteRecords } from './remote/remote-records.ts'
import type { RemoteCaller } from './remote/remote-object.ts'
import type { RemoteSources } from './remote/remote-sources.ts'
import type { RecordPage } from './read/record-page.ts'
import { recordViewers, type RecordViewer } from './read/record-viewers.ts'
import { recordJsonAlone, recordsJson, visibleViews } from './read/record-json.ts'
import { recordNotFound } from './save/record-errors.ts'

/** What identifies a caller: the rights, in the generation and the scopes of a request. */
export interface CallerOf {
  access: EffectiveAccess
  generation: number
  scopePath: ScopePath
  /** The registered client of the request, whose uses of fields are kept. */
  client?: string | null
  /** Of the request, for the calls to sources of virtual objects; a new one if omitted. */
  correlationId?: string
}

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
  /** Grows with every write of a record. */
  position(): Promise<number>
  /** The highest position that this process has seen; each read and save of records raises it. */
  observed(): number
  /** Notes a position that another thread has seen. */
  observe(position: number): void
  /** The users among these who can read a record, and why. @throws AlmanacError as `get` */
  viewers(
    caller: CallerOf,
    object: string,
    id: string,
    users: readonly EffectiveAccess[],
  ): Promise<RecordViewer[]>
  /** What clients have used since the last call, to be passed to another thread or to be written. */
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
  erase(command: EraseCommand): Promise<ErasureCounts>
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
type RowsOf = {
  [K in 'insert' | 'update' | 'delete']: (
    caller: CallerOf,
    request: Parameters<RemoteRecords[K]>[1],
  ) => ReturnType<RemoteRecords[K]>
}

/** For a list of stored records with what it names in sources: less than a worker has for a query. */
const followedMs = 4000

export function createRecords(parts: RecordsParts): Records {
  const { store, snapshots, accessOf, save, jobs, erase, audit, evidence, noteUses, clock, ids } = parts
  const { cursorKey, makeCallout, sources, jobAudit } = parts
  const elapsed = (): number => performance.now()
  const callerOf = createRecordCallers(snapshots)
  const seal = createCursorSeal(cursorKey)
  const uses = createFieldUses()
  const note = ({ client }: Pick<CallerOf, 'client'>, used: () => readonly UsedField[]): void => {
    if (client != null) uses.note(client, used(), clock.now())
  }
  /** One flush at a time, so that each waits for what an earlier one has taken. */
  let flushed: Promise<void> = Promise.resolve()
  const writeUses = async (): Promise<void> => {
    const taken = uses.take()
    if (taken.length === 0) return
    try {
      await noteUses(taken)
    } catch (error) {
      uses.putBack(taken)
      throw error
    }
  }
  let observed = 0
  const observe = (position: number): void => void (observed = Math.max(observed, position))
  const read = <T>(work: (reader: RecordReader) => Promise<T>): Promise<T> =>
    store().read(async (reader) => {
      observe(await reader.position())
      return work(reader)
    })
  const stable = createCursorSeal(cursorKey, { isStable: true })
  const remote = createRemoteRecords({ sources, seal, stable, read })
  const remoteCaller = (from: CallerOf): RemoteCaller => ({
    caller: callerOf(from),
    correlationId: from.correlationId ?? ids.uuid(),
  })
  /** Reads the rows that the records name, after the transaction. */
  const followed = async (
    from: CallerOf,
    work: (references: RemoteReferences) => Promise<FoundRecords>,
  ): Promise<FoundRecords> => {
    const references = new RemoteReferences()
    const began = performance.now()
    const found = await work(references)
    if (references.isEmpty) return found
    const within = sources.deadline(Math.max(1, followedMs - (performance.now() - began)))
    return { ...found, warnings: await remote.fill(remoteCaller(from), references, within) }
  }
  const archiving: ArchiveStepParts = {
    ...{ store, snapshots, accessOf, evidence },
    archive: (command) => jobs.archive(command),
    elapsed,
  }
  const runStep = async (step: JobStep): Promise<RecordJob> => {
    await jobAudit.beforePart(step.id)
    const job = await jobs.step(step)
    await jobAudit.afterPart(job)
    const isCounted = job.kind === 'archive' && isOpen(job) && job.total !== null
    return isCounted ? runArchiveStep(archiving, job, step.generation) : job
  }
  /** Null until a record was read, because the store is opened at the first read. */
  let momentStore: RecordStore | null = null
  /** @throws AlmanacError `record.not_found` */
  const getNow = (
    caller: RecordCaller,
    object: string,
    id: string,
    projection: readonly ProjectedField[],
  ): RecordJson | null => {
    momentStore = store()
    const found = momentStore.readNow((reader) => {
      observe(reader.position())
      const [record] = reader.get(caller.present.names.objectId(object)!, [id])
      return record === undefined ? null : recordJsonAlone(caller, object, record, projection)
    })
    if (found?.value === null) throw recordNotFound(object, id)
    return found?.value ?? null
  }
  const withValue = async <T>(
    [from, name, recordId, fieldName]: Parameters<Records['explain']>,
    work: (explaining: Explaining) => Promise<T>,
  ): Promise<T> => {
    const caller = callerOf(from)
    const programs = storedObject(caller, name)
    const { object } = programs
    const field = readableField(caller, programs, fieldName)
    const id = caller.present.names.fieldIds(object).get(field.key)!
    return read(async (reader) => {
      const { record } = await visibleRecord(caller, reader, object, recordId)
      return work({ caller, snapshots, reader, programs, record, field, id })
    })
  }
  return {
    list: (caller) => listObjects(callerOf(caller)),
    canRead: (caller, object) => callerOf(caller).access.may(object, 'read'),
    apps: (caller) => listApps(callerOf(caller)),
    app: (caller, app) => describeApp(callerOf(caller), app),
    describe: (caller, object) => describeObject(callerOf(caller), read, object),
    get: (from, name, id, names) => {
      const caller = callerOf(from)
      const programs = readableObject(caller, name)
      const { object } = programs
      if (programs.isVirtual) {
        const projection =
          names === undefined ? fullRead(caller, programs).projection : projectionOf(caller, programs, names)
        note(from, () => [...usedObject(caller.present, name), ...usedAlong(caller, projection)])
        return remote.get(remoteCaller(from), name, id, names)
      }
      const full = names === undefined ? fullRead(caller, programs) : null
      const projection = full?.projection ?? projectionOf(caller, programs, names ?? [])
      const noted = (json: RecordJson): RecordJson => {
        if (full === null)
          note(from, () => [...usedObject(caller.present, name), ...usedAlong(caller, projection)])
        else if (from.client != null) uses.noteKept(from.client, full.usedAs(name), clock)
        return json
      }
      const isAlone = full?.isAlone ?? isReadAlone(caller, object, projection)
      const now = isAlone ? getNow(caller, object, id, projection) : null
      if (now !== null) return noted(now)
      const references = new RemoteReferences()
      const found = read(async (reader) => {
        const { record, views } = await visibleRecord(caller, reader, object, id)
        const [json] = await recordsJson(caller, reader, object, [record], projection, {
          views,
          remote: references,
        })
        return noted(json!)
      })
      return found.then(async (json) => {
        if (!references.isEmpty) await remote.fill(remoteCaller(from), references)
        return json
      })
    },
    names: async (from, places) => {
      const caller = callerOf(from)
      const objects = namedObjects(
        caller,
        places.map(({ object }) => object),
      )
      for (const [name, { projection }] of objects)
        note(from, () => [...usedObject(caller.present, name), ...usedAlong(caller, projection)])
      const stored = new Map([...objects].filter(([, { programs }]) => !programs.isVirtual))
      const remoteObjects = [...objects.keys()].filter((name) => !stored.has(name))
      const known =
        stored.size === 0
          ? new Map<string, string>()
          : await read((reader) => recordNames(caller, reader, places, stored))
      return namedPlaces(
        places,
        known,
        remoteObjects.length === 0
          ? new Map<string, string>()
          : await remote.names(remoteCaller(from), places, remoteObjects),
      )
    },
    history: (from, name, id, { limit, cursor }) => {
      const caller = callerOf(from)
      const { object, body } = storedObject(caller, name)
      const { present, access } = caller
      const ids = present.names.fieldIds(object)
      const keys = new Map(
        body.fields.flatMap(({ key }) => (access.canReadField(object, key) ? [[ids.get(key)!, key]] : [])),
      )
      return read(async (reader) => {
        const { record } = await visibleRecord(caller, reader, object, id)
        const of = `history ${access.user} ${record.object} ${id}`
        const before = cursor === undefined ? undefined : (seal.open(of, cursor) as number)
        const { changes, hasMore } = await reader.history(record.object, id, { before, limit })
        const shown = <T extends { field: FieldId }>(
          each: readonly T[],
        ): (Omit<T, 'field'> & { field: string })[] =>
          each.flatMap((change) => {
            const field = keys.get(change.field)
            return field === undefined ? [] : [{ ...change, field }]
          })
        return {
          changes: changes.map(({ version, operation, at, by, correlationId, generation, ...what }) => ({
            ...{ version, operation, at, by, correlationId, generation },
            ...{ fields: shown(what.fields), bindings: shown(what.bindings) },
          })),
          nextCursor: hasMore ? seal.seal(of, changes.at(-1)!.version) : null,
        }
      })
    },
    explain: (...place) => withValue(place, explainValue),
    prove: (...place) => withValue(place, proveValue),
    archive: async (from, by, place, version) => {
      requireOperator(from, 'to archive the evidence of a value')
      const value = await withValue([from, place.object, place.id, place.field], (explaining) =>
        valueToArchive(explaining, version),
      )
      if ('archive' in value) return value
      const { generation, scopePath } = from
      const { user } = from.access
      const object = callerOf(from).present.names.objectKey(value.reads.object)!
      const archive = { id: ids.uuid(), object: value.reads.object, at: clock.now(), by: user }
      const bundle = await evidence(by, value.proven)
      await audit(by, archiveFact(object, archive, { value: value.proven.label }))
      const { failures } = await jobs.archive({
        ...{ object, archive, records: [archivedRecordOf(value, bundle)], user, generation, scopePath },
        ...{ correlationId: by.correlationId, step: null },
      })
      const [failure] = failures
      if (failure !== undefined) throw new AlmanacError(failure.code as ErrorCode, failure.message)
      return { archive: archive.id, evidence: bundle }
    },
    archives: createArchives({ read, callerOf, audit, seal, remove: (id) => jobs.removeArchive(id) }),
    preview: async (from, recordId, request) => {
      const caller = callerOf(from)
      const name = objectOfSite(request.site)
      if (name === null)
        throw new AlmanacError(
          'request.invalid',
          'An expression of a calc function, or one with only parameters, does not read a record.',
        )
      const programs = storedObject(caller, name)
      return read(async (reader) => {
        const { record } = await visibleRecord(caller, reader, programs.object, recordId)
        return previewValue({ caller, access: from.access, reader, programs, record }, request)
      })
    },
    isRemote: (from, objects) => objects.some((object) => isVirtualObject(callerOf(from), object)),
    query: (from, request) => {
      const terms = { seal, note: (used: () => UsedField[]) => note(from, used) }
      return isVirtualObject(callerOf(from), request.object)
        ? remote.query(remoteCaller(from), request, terms.note)
        : followed(from, (references) =>
            read((reader) => runQuery(callerOf(from), reader, { ...terms, references }, request)),
          )
    },
    search: (from, request) => {
      const terms = { seal, note: (used: () => UsedField[]) => note(from, used) }
      return isVirtualObject(callerOf(from), request.object)
        ? remote.search(remoteCaller(from), request, terms.note)
        : followed(from, (references) =>
            read((reader) => runSearch(callerOf(from), reader, { ...terms, references }, request)),
          )
    },
    rows: {
      insert: (from, request) => {
        note(from, () => usedByCommand(callerOf(from).present, { items: [{ op: 'insert', ...request }] }))
        return remote.insert(remoteCaller(from), request)
      },
      update: (from, request) => {
        const { object, fields } = request
        note(from, () => usedByCommand(callerOf(from).present, { items: [{ op: 'update', object, fields }] }))
        return remote.update(remoteCaller(from), request)
      },
      delete: (from, request) => {
        note(from, () => usedObject(callerOf(from).present, request.object))
        return remote.delete(remoteCaller(from), request)
      },
    },
    save: async (command) => {
      note(command, () => usedByCommand(snapshots.at(command.generation), command))
      const { position, reply } = await save(command)
      observe(position)
      return reply
    },
    inMoment: (work) => (momentStore === null ? work() : momentStore.inMoment(work)),
    operations: (caller) => listOperations(callerOf(caller)),
    call: async (command) => {
      const { position, reply } = await runOperation({ save, makeCallout, elapsed }, command)
      observe(position)
      note(command, () => usedByCall(snapshots.at(command.generation), command.operation))
      return reply
    },
    position: () => read((reader) => reader.position()),
    observed: () => observed,
    observe,
    viewers: (from, name, id, users) => {
      const caller = callerOf(from)
      const { object } = storedObject(caller, name)
      return read(async (reader) => {
        const { record } = await visibleRecord(caller, reader, object, id)
        return recordViewers(caller, reader, object, record, users)
      })
    },
    takeUses: uses.take,
    addUses: uses.add,
    flushUses: () => (flushed = flushed.then(writeUses, writeUses)),
    clientUses: async (from, client) => {
      requireOperator(from, 'to see what a client uses')
      const { names } = callerOf(from).present
      const found = await read((reader) => reader.uses(client))
      return found.map(({ object, field, name, at }) => {
        const key = names.objectKey(object) ?? null
        const fieldName = key === null ? null : (fieldKey(names.fieldIds(key), field) ?? null)
        const kind = field === objectItself ? ('object' as const) : ('field' as const)
        return { kind, object: key, field: fieldName, name, at }
      })
    },
    erase: async (from, by, request) => {
      requireOperator(from, 'to erase sensitive values of a record')
      const { generation, scopePath } = from
      const checked = await read((reader) => checkErasure(parts, callerOf(from), reader, request))
      const { object, fields } = checked
      await audit(by, checked.fact)
      const { records, changes, hasJob } = await erase({
        ...{ object, id: request.id, user: from.access.user, correlationId: by.correlationId },
        ...{ scopePath, generation },
      })
      return { fields, records, changes, continues: hasJob }
    },
    createJob: async (from, by, { kind, object, filter, boundBefore, keepArchived }) => {
      requireOperator(from, `to start a ${kind} of records`)
      const { generation, scopePath } = from
      const { user } = from.access
      const { correlationId } = by
      const command = {
        ...{ kind, object, filter, boundBefore, keepArchived, correlationId, user, generation, scopePath },
      }
      const caller = callerOf(from)
      const checked = checkJob(caller, command)
      if (kind === 'rebind' || kind === 'archive') await audit(by, jobFact(checked, command))
      return jobView(caller, await jobs.create(command))
    },
    runStep,
    stepJob: async (from, id) => jobView(callerOf(from), await runStep({ id, generation: from.generation })),
    abortJob: async (from, id) => {
      requireOperator(from, 'to end a job over records')
      await jobAudit.beforePart(id)
      return jobView(callerOf(from), await jobs.abort(id))
    },
    job: async (from, id) => {
      requireOperator(from, 'to see a job over records')
      const job = await read((reader) => reader.job(id))
      if (job === undefined) throw jobNotFound(id)
      return jobView(callerOf(from), job)
    },
    jobs: async (from, { limit, before }) => {
      requireOperator(from, 'to see the jobs over records')
      const caller = callerOf(from)
      const found = await read((reader) => reader.jobs(limit + 1, before))
      const jobs = found.slice(0, limit).map((job) => jobView(caller, job))
      return { jobs, next: found.length > limit ? jobs.at(-1)!.id : null }
    },
  }
}

/** @throws AlmanacError `access.denied` */
function requireOperator({ access }: CallerOf, purpose: string): void {
  requirePermission(access, 'operations.manage', purpose)
}

/** A field that the caller cannot read does not exist here. @throws AlmanacError `request.invalid` */
function readableField(
  { access }: RecordCaller,
  { object, body, field }: ObjectPrograms,
  name: string,
): ObjectField {
  const found = field(name)
  if (found !== undefined && access.canReadField(object, found.key)) return found
  const known = body.fields.filter(({ key }) => access.canReadField(object, key)).map(({ key }) => key)
  throw new AlmanacError('request.invalid', `${object} has no field "${name}".${didYouMean(name, known)}`)
}

/** A record that the caller cannot see does not exist. @throws AlmanacError `record.not_found` */
async function visibleRecord(
  caller: RecordCaller,
  reader: Parameters<typeof recordsJson>[1],
  object: string,
  id: string,
): Promise<{ record: StoredRecord; views: ReadonlyMap<string, RecordView> }> {
  const objectId = caller.present.names.objectId(object)!
  const [record] = await reader.get(objectId, [id])
  if (record === undefined) throw recordNotFound(object, id)
  const views = await visibleViews(caller, reader, object, [record])
  if (views.size === 0) throw recordNotFound(object, id)
  return { record, views }
}
