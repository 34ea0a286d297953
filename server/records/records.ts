// Records for callers: reads as they can see them, and saves through a runner, which can be in a different thread.
import type { RecordReader, RecordStore } from '../ports/record-store.ts'
import { makeCallouts, runOperation } from './call/run-operation.ts'
import { listOperations } from './call/operations.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import { objectOfSite } from '#kernel/expr/index.ts'
import { fieldKey, type FieldId, type RecordSnapshot } from '#kernel/records/index.ts'
import { endpointUser, objectItself } from '../ports/field-use.ts'
import { jobRequests } from './jobs/job-requests.ts'
import type { CallerOf } from './caller-of.ts'
import type { Records, RecordsParts } from './records-interface.ts'
import { readableField, visibleRecord } from './read/visible-record.ts'
import { requireOperator } from './read/require-operator.ts'
import { createFieldUses, type UsedField } from './uses/field-uses.ts'
import {
  usedAlong,
  usedByCall,
  usedByColumns,
  usedByCommand,
  usedByDispatch,
  usedObject,
} from './uses/used-fields.ts'
import { checkErasure } from './erase/request-erasure.ts'
import { archivedRecordOf, archiveFact, valueToArchive } from './archive/archive-value.ts'
import { createArchives } from './archive/archives.ts'
import { recordIdentity } from './erase/record-identity.ts'
import { explainValue, type Explaining } from './read/explain-value.ts'
import { namedObjects, namedPlaces, recordNames } from './read/record-names.ts'
import { proveValue } from './read/prove-value.ts'
import { previewValue } from './read/preview-value.ts'
import type { RecordJson } from '#wire/records.ts'
import { createRecordEvents } from './events/record-events.ts'
import type { DispatchCommand } from './dispatch/dispatching.ts'
import { oncePerView } from './save/once-per-view.ts'
import { describeObject, listObjects } from './describe.ts'
import { describeApp, listApps } from './placed/apps.ts'
import { createCursorSeal } from './query/cursor-seal.ts'
import { runQuery } from './query/run-query.ts'
import { runSearch } from './query/run-search.ts'
import { fullRead, isReadAlone } from './read/full-read.ts'
import { projectionOf, type ProjectedField } from './read/projection.ts'
import { createRecordCallers, readableObject, storedObject, type RecordCaller } from './read/record-caller.ts'
import type { FoundRecords } from './read/found-records.ts'
import { RemoteReferences } from './read/remote-references.ts'
import { createRemoteRecords, isVirtualObject } from './remote/remote-records.ts'
import type { RemoteCaller } from './remote/remote-object.ts'
import { callContent } from './read/call-content.ts'
import { recordViewers } from './read/record-viewers.ts'
import { recordJsonAlone, recordsJson } from './read/record-json.ts'
import { recordNotFound } from './save/record-errors.ts'

/** For a list of stored records with what it names in sources: less than a worker has for a query. */
const followedMs = 4000

export function createRecords(parts: RecordsParts): Records {
  const { store, snapshots, save, jobs, erase, eraseParts, audit, evidence, noteUses, clock, ids } = parts
  const { cursorKey, makeCallout, sources } = parts
  const elapsed = (): number => performance.now()
  const callerOf = createRecordCallers(snapshots)
  const seal = createCursorSeal(cursorKey)
  const uses = createFieldUses()
  const note = ({ client }: Pick<CallerOf, 'client'>, used: () => readonly UsedField[]): void => {
    if (client != null) uses.note(client, used(), clock.now())
  }
  const usesOfEndpoints = oncePerView(() => new Map<string, readonly UsedField[]>())
  /** The same list for each delivery to an endpoint. */
  const dispatchUses = (
    present: RecordSnapshot,
    { endpoint, dispatch }: DispatchCommand,
  ): readonly UsedField[] => {
    const known = usesOfEndpoints(present)
    const used = known.get(endpoint) ?? usedByDispatch(present, dispatch)
    known.set(endpoint, used)
    return used
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
    events: createRecordEvents({
      ...{ read, callerOf, audit, clock, writes: parts.events, active: snapshots.active },
      note: ({ client }, used) => {
        if (client != null) uses.noteKept(client, used, clock)
      },
      publish: async (command) => (await save(command)).reply,
    }),
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
    noteIngestObject: (from, object) => note(from, () => usedObject(snapshots.at(from.generation), object)),
    noteIngestColumns: (from, job) => note(from, () => usedByColumns(snapshots.at(from.generation), job)),
    inMoment: (work) => (momentStore === null ? work() : momentStore.inMoment(work)),
    operations: (caller) => listOperations(callerOf(caller)),
    call: async (command) => {
      const { position, reply } = await runOperation({ save, makeCallout, elapsed }, command)
      observe(position)
      note(command, () => usedByCall(snapshots.at(command.generation), command.operation))
      return reply
    },
    dispatch: async (command) => {
      const { delivery: id, token, endpoint } = command
      uses.noteKept(endpointUser(endpoint), dispatchUses(snapshots.at(command.generation), command), clock)
      const { position } = await makeCallouts(
        { makeCallout, elapsed },
        command,
        () => save(command),
        (step) => save({ ...step, delivery: { id, token } }),
      )
      observe(position)
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
    callContent: (from, effect) => read((reader) => callContent(callerOf(from), snapshots, reader, effect)),
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
      const present = snapshots.at(generation)
      const identity = await read((reader) => recordIdentity(present, reader, { object, id: request.id }))
      const erasedRows = await eraseParts(identity)
      const { records, changes, hasJob } = await erase({
        ...{ object, id: request.id, user: from.access.user, correlationId: by.correlationId },
        ...{ scopePath, generation, erasedRows },
      })
      return { fields, records, changes, continues: hasJob }
    },
    ...jobRequests({ ...parts, read, callerOf }),
  }
}
