// Which stored values of records a change list would change: each is computed again over the active generation and over
// the change list, a part of the records at a time, with the records of affected objects that it reads.
import {
  type Change,
  type RecordsImpact,
  type RecordFieldImpact,
  type RecordValueChange,
} from '#kernel/change/index.ts'
import { componentId, splitId, type ComponentType } from '#kernel/components/component.ts'
import type { ObjectBody, ObjectField } from '#kernel/components/object/body.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import {
  fieldKey,
  objectPrograms,
  type FieldId,
  type RecordSnapshot,
  type Shape,
} from '#kernel/records/index.ts'
import { effectiveAccess, recordAccess, type Viewer } from '../access/index.ts'
import {
  changesForAudience,
  isIdVisible,
  prepareChanges,
  type ApplyRequest,
  type PipelineCache,
  type PipelineDeps,
  type PreparedChanges,
} from '../pipeline/index.ts'
import type { RecordReader, RecordStore, StoredRecord } from '../ports/record-store.ts'
import {
  nameFieldOf,
  visibleViews,
  type Follows,
  type CursorSeal,
  type RecordCaller,
  type RecordSnapshots,
} from '../records/index.ts'
import { affectedFields, type AffectedFields } from './affected-fields.ts'
import { candidateSnapshot } from './candidate-snapshot.ts'
import { hiddenReads, type HiddenReads } from './hidden-reads.ts'
import { viewerOf } from './impact-of.ts'
import { followingMoves, type Move, type MoveMemory, type Omissions } from './moved-children.ts'

export interface RecordsImpactRequest {
  list: ApplyRequest
  scopePath: ScopePath
  /** `next` of the previous part. */
  after?: string | undefined
  /** Maximum number of records that are computed, and how long that can take in milliseconds. */
  look: number
  lookMs: number
  /** Maximum number of records that are named for each field. */
  most: number
}

export interface RecordsImpactDeps {
  pipeline: PipelineDeps
  store(): RecordStore
  snapshots: RecordSnapshots
  seal: CursorSeal
  moves: MoveMemory
  elapsed(): number
}

/** Records that are read at once. */
const pageSize = 200
/** The same if roll-ups can compute their children too. */
const smallPageSize = 50

/** @throws AlmanacError of the source, conflict.stale_generation, user.not_found, request.malformed */
export async function recordsImpactOf(
  deps: RecordsImpactDeps,
  memory: PipelineCache,
  request: RecordsImpactRequest,
): Promise<RecordsImpact> {
  const { pipeline } = deps
  const prepared = pipeline.store.read((reader) => prepareChanges(pipeline, reader, memory, request.list))
  const { base, changeDigest, request: list } = prepared
  const changes = changesForAudience(prepared)
  const present = deps.snapshots.at(base)
  const viewer = viewerOf(prepared)
  const candidate = candidateSnapshot(present, changes)
  const affected = affectedFields({ present, candidate, changes, graph: prepared.graph })
  const objects = affectedObjects(affected, present, viewer)
  const caller = callerOf(deps, prepared, present, request.scopePath)
  const isGuarded = changes.some(isExpression)
  const of = JSON.stringify([list.viewerKey ?? list.actor, base, changeDigest])
  const context: Looking = {
    ...{ caller, objects, request, follows: affected.follows },
    moves: deps.moves.ofImpact(`${of} ${JSON.stringify(request.scopePath)}`, request.after === undefined),
    isOmitted: ({ key }) => isGuarded && !readsEverything(caller, candidate, key),
    hidden: hiddenReads(candidate, viewer),
    isLate: lateAfter(deps, request.lookMs),
  }
  const place = request.after === undefined ? null : (deps.seal.open(of, request.after) as Place)
  return deps.store().read(async (reader) => {
    const counts = await Promise.all(objects.map(({ id }) => reader.count(id)))
    const found = await lookThrough(context, reader, place)
    return {
      ...{ base, changeDigest, fields: found.fields, looked: found.looked },
      ...{ hidden: found.hidden, unfollowed: found.unfollowed },
      total: counts.reduce((sum, count) => sum + count, 0),
      next: found.place === null ? null : deps.seal.seal(of, found.place),
    }
  })
}

function lateAfter({ elapsed }: Pick<RecordsImpactDeps, 'elapsed'>, ms: number): () => boolean {
  const until = elapsed() + ms
  return () => elapsed() > until
}

/** Types that contain the expressions of stored values, or decide what these read: entries and others change no question. */
const expressionTypes: ReadonlySet<ComponentType> = new Set(['object', 'calc_function', 'config_set'])
const isExpression = ({ id }: Change): boolean => expressionTypes.has(splitId(id).type)

/** Where the next part begins: the number of the object, and the last record of it. */
type Place = [object: number, record: string | null]

type AffectedObject = { id: StoredRecord['object']; key: string }

interface Looking {
  caller: RecordCaller
  objects: readonly AffectedObject[]
  follows: (snapshot: RecordSnapshot) => Follows
  hidden: HiddenReads
  /** What earlier parts have found of moved children. */
  moves: Map<string, Move>
  request: RecordsImpactRequest
  isLate(): boolean
  /** Whether the records of an object are only counted. */
  isOmitted(object: AffectedObject): boolean
}

/** Objects with stored values that the list can change, as far as its reader sees them. */
function affectedObjects(
  { objects }: AffectedFields,
  { names }: RecordSnapshot,
  viewer: Viewer | null,
): AffectedObject[] {
  return [...objects]
    .flatMap((id): AffectedObject[] => {
      const key = names.objectKey(id)
      return key === undefined || !isIdVisible(componentId('object', key), viewer) ? [] : [{ id, key }]
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** The samples are of records that the reader of the impact can see. */
function callerOf(
  { pipeline }: RecordsImpactDeps,
  { request }: PreparedChanges,
  present: RecordSnapshot,
  scopePath: ScopePath,
): RecordCaller {
  const access = pipeline.store.read((reader) =>
    effectiveAccess(reader, request.viewerKey ?? request.actor, present.view),
  )
  return { present, scopePath, access: recordAccess(access, { snapshot: present, scopePath }) }
}

interface Found {
  fields: RecordFieldImpact[]
  looked: number
  hidden: number
  unfollowed: number
  place: Place | null
}

/**
 * Whether the caller can read all that expressions of an object can read: every record and field of it, and of what its
 * references and roll-ups lead to. Otherwise, formulas that the caller wrote could reveal the rest by what they count.
 */
function readsEverything(
  { access, present }: RecordCaller,
  candidate: RecordSnapshot,
  object: string,
): boolean {
  const seen = new Set([object])
  for (const key of seen) {
    const body = present.view.get('object', key)?.body
    if (body === undefined) continue
    const fields = body.storage === 'local' ? body.fields : []
    if (!access.may(key, 'read') || access.accessToAll(key) === 'none') return false
    if (fields.some((field) => !access.canReadField(key, field.key))) return false
    for (const next of [...targetsOf(body), ...candidateTargets(present, candidate, key)]) seen.add(next)
  }
  return true
}

function targetsOf(body: ObjectBody): string[] {
  if (body.storage !== 'local') return []
  return body.fields.flatMap(({ references, rollup }) =>
    [references, rollup?.child].flatMap((target) => target ?? []),
  )
}

/** What an object leads to after the list, by present keys: an object that the list adds has no records. */
function candidateTargets(present: RecordSnapshot, candidate: RecordSnapshot, object: string): string[] {
  const id = present.names.objectId(object)
  const key = id === undefined ? undefined : candidate.names.objectKey(id)
  const body = key === undefined ? undefined : candidate.view.get('object', key)?.body
  return (body === undefined ? [] : targetsOf(body)).flatMap((target) => {
    const targetId = candidate.names.objectId(target)
    return targetId === undefined ? [] : (present.names.objectKey(targetId) ?? [])
  })
}

async function lookThrough(looking: Looking, reader: RecordReader, place: Place | null): Promise<Found> {
  const found: Found = { fields: [], looked: 0, hidden: 0, unfollowed: 0, place: null }
  let [index, after] = place ?? [0, null]
  for (; index < looking.objects.length && found.place === null; index += 1, after = null)
    await lookAtObject(looking, reader, [index, after], found)
  return found
}

/** Sets the place in what was found if the part ends within the object. */
async function lookAtObject(
  looking: Looking,
  reader: RecordReader,
  [index, start]: Place,
  found: Found,
): Promise<void> {
  const { objects, request, isLate, isOmitted } = looking
  const object = objects[index]!
  const tally = isOmitted(object) ? null : new ObjectTally(looking, object)
  let after = start
  for (;;) {
    if (found.looked > 0 && (found.looked >= request.look || isLate())) {
      found.place = [index, after]
      break
    }
    const limit = Math.min(objects.length > 1 ? smallPageSize : pageSize, request.look - found.looked)
    const records = await reader.page(object.id, after, limit)
    if (tally === null) found.hidden += records.length
    else await tally.add(reader, records, found)
    found.looked += records.length
    if (records.length < limit) break
    after = records.at(-1)!.id
  }
  if (tally !== null) found.fields.push(...tally.fields())
}

interface Computing {
  now: (records: readonly StoredRecord[]) => Promise<Shape[]>
  after: (records: readonly StoredRecord[]) => Promise<Shape[]>
  /** Why a record is not compared; undefined if it is. */
  omission(record: string): 'hidden' | 'unfollowed' | undefined
}

/** What the list changes in the records of one object, by field. */
class ObjectTally {
  readonly #looking: Looking
  readonly #object: AffectedObject
  readonly #fields = new Map<FieldId, RecordFieldImpact>()
  readonly #names: string | null
  #shapes: Computing | null = null

  constructor(looking: Looking, object: AffectedObject) {
    this.#looking = looking
    this.#object = object
    const { access, present } = looking.caller
    const name = nameFieldOf(present.view, object.key)
    this.#names = name !== null && access.canReadField(object.key, name) ? name : null
  }

  fields(): RecordFieldImpact[] {
    return [...this.#fields.values()]
  }

  /** Counts the records that are left out. */
  async add(reader: RecordReader, records: readonly StoredRecord[], found: Found): Promise<void> {
    const { caller } = this.#looking
    this.#shapes ??= this.#computing(reader)
    const { now: present, after: candidate, omission } = this.#shapes
    const [now, after] = [await present(records), await candidate(records)]
    const changed = records.flatMap((record, index) => {
      const shapes = [now[index]!, after[index]!] as const
      const reason = omission(record.id)
      if (reason !== undefined) found[reason] += 1
      const fields = reason === undefined ? this.#differing(shapes) : []
      return fields.length === 0 ? [] : [{ record, shapes, fields }]
    })
    const visible = await visibleViews(
      caller,
      reader,
      this.#object.key,
      changed.flatMap(({ record, fields }) => (fields.some((field) => this.#canName(field)) ? [record] : [])),
    )
    for (const { record, shapes, fields } of changed)
      for (const field of fields) this.#count(record, field, shapes, visible.has(record.id))
  }

  #computing(reader: RecordReader): Computing {
    const { caller, hidden, follows, moves } = this.#looking
    const { present, scopePath } = caller
    // Each value is computed at the scope path of its binding.
    const { app: _app, ...others } = scopePath
    const omissions: Record<'now' | 'after', Omissions> = { now: new Map(), after: new Map() }
    const computing = (side: 'now' | 'after', snapshot: RecordSnapshot): Computing['now'] => {
      const request = { scopePath: others, snapshot, follows: follows(snapshot) }
      const isHidden = (shape: Shape): boolean =>
        side === 'after' && (hidden.wasRead() || hidden.isBound(shape))
      const search = { reader, side, request, moves, isHidden }
      return followingMoves(search, this.#object.id, omissions[side])
    }
    return {
      omission: (record) => omissions.after.get(record) ?? omissions.now.get(record),
      now: computing('now', present),
      after: computing('after', hidden.candidate),
    }
  }

  #canName(id: FieldId): boolean {
    const known = this.#fields.get(id)
    return known === undefined || known.items.length < this.#looking.request.most
  }

  /** Stored cells of the candidate whose value would be a different one. */
  #differing([now, after]: readonly [Shape, Shape]): FieldId[] {
    return [...after.bindings.keys()].filter(
      (id) => (now.values.get(id) ?? null) !== (after.values.get(id) ?? null) && this.#fieldOf(id) !== null,
    )
  }

  #count(record: StoredRecord, id: FieldId, [now, after]: readonly [Shape, Shape], isVisible: boolean): void {
    const { caller } = this.#looking
    const { key: object } = this.#object
    const field = this.#fieldOf(id)!
    let impact = this.#fields.get(id)
    if (impact === undefined) {
      const { key, label = key } = field
      const objectLabel = caller.present.view.get('object', object)!.label
      const added = this.#presentKey(id) === undefined
      impact = { object, objectLabel, field: key, label, added, changed: 0, items: [] }
      this.#fields.set(id, impact)
    }
    impact.changed += 1
    const canRead = isVisible && this.#canRead(id)
    if (canRead && this.#canName(id)) impact.items.push(this.#item(record, id, field.key, [now, after]))
  }

  /**
   * By its present key, because the list can rename it. A field that the list adds has no permission yet: only callers
   * who can read all that its formula can read come here.
   */
  #canRead(id: FieldId): boolean {
    const key = this.#presentKey(id)
    return key === undefined || this.#looking.caller.access.canReadField(this.#object.key, key)
  }

  #presentKey(id: FieldId): string | undefined {
    return fieldKey(this.#looking.caller.present.names.fieldIds(this.#object.key), id)
  }

  #item(
    record: StoredRecord,
    id: FieldId,
    field: string,
    [now, after]: readonly [Shape, Shape],
  ): RecordValueChange {
    const names = this.#looking.caller.present.names.fieldIds(this.#object.key)
    const name = this.#names === null ? null : record.values.get(names.get(this.#names)!)
    const problemOf = ({ problems }: Shape): string | null =>
      problems.find((problem) => problem.field === field)?.message ?? null
    return {
      ...{ id: record.id, name: typeof name === 'string' ? name : null },
      // A removed field that the list restores may still have values, which nobody can read now.
      stored: this.#presentKey(id) === undefined ? null : (record.values.get(id) ?? null),
      now: now.values.get(id) ?? null,
      ...{ after: after.values.get(id) ?? null, afterError: problemOf(after) },
    }
  }

  /** As the candidate declares it; null if it does not have the field. */
  #fieldOf(id: FieldId): ObjectField | null {
    const { names, view } = this.#looking.hidden.candidate
    const key = names.objectKey(this.#object.id)
    const name = key === undefined ? undefined : fieldKey(names.fieldIds(key), id)
    return name === undefined ? null : (objectPrograms(view, key!)?.field(name) ?? null)
  }
}
