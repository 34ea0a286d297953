// What a recompute of stored records would store in given generations, without storing it.
import type { ScopePath } from '#kernel/components/scopes.ts'
import {
  CellMap,
  computeCells,
  objectPrograms,
  staleRollups,
  type FieldId,
  type LoadedRecords,
  type ObjectId,
  type RecordSnapshot,
  type RecordState,
  type Shape,
  type ShapeInput,
} from '#kernel/records/index.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'
import { recordsAlong } from '../save/related-records.ts'
import { loadReadings } from './cell-request.ts'

export interface RecomputeRequest {
  object: ObjectId
  records: readonly StoredRecord[]
  snapshot: RecordSnapshot
  scopePath: ScopePath
  /** Which records are computed too where others read them; none if omitted. */
  follows?: Follows
}

/** Pairs of objects between which a computed value is read that has to be computed first. */
export interface Follows {
  /** Whether a formula of `reader` reads one of `object` along a reference. */
  along(reader: ObjectId, object: ObjectId): boolean
  /** Whether a roll-up of `parent` reads one of its children. */
  children(parent: ObjectId, child: ObjectId): boolean
}

/**
 * Called with each record that was computed, and with the IDs of those that were computed for it: it follows them at any
 * distance.
 */
export type OnShape = (record: StoredRecord, shape: Shape, followed: ReadonlySet<string>) => void

/** Returns the shape of each record, in their order; records that it does not follow are read as they are stored. */
export async function recomputedShapes(
  reader: RecordReader,
  request: RecomputeRequest,
  onShape: OnShape = () => undefined,
): Promise<Shape[]> {
  return recomputing(reader, request, onShape)(request.records)
}

/** The same for records in several parts: records that many of them read are computed once. */
export function recomputing(
  reader: RecordReader,
  request: Omit<RecomputeRequest, 'records'>,
  onShape: OnShape = () => undefined,
): (records: readonly StoredRecord[]) => Promise<Shape[]> {
  const recompute = new Recompute(reader, request, onShape)
  return async (records) => {
    const computed = await recompute.all(request.object, records, [])
    recompute.forget()
    return computed.map(({ shape }) => shape)
  }
}

/** Records that are remembered from one part to the next. */
const maxKnown = 20_000

/** Records that lead to each other; beyond them, records are read as they are stored. */
const maxChain = 8

interface Computed {
  shape: Shape
  /** The records that were computed for it. */
  followed: ReadonlySet<string>
}

interface Place {
  /** The records for which this one is computed, and itself. */
  chain: readonly string[]
  /** Receives the records that are computed for it. */
  followed: Set<string>
}

class Recompute {
  readonly #reader: RecordReader
  readonly #request: Omit<RecomputeRequest, 'records'>
  readonly #onShape: OnShape
  /** Records that were followed, by ID. */
  readonly #known = new Map<string, Computed>()

  constructor(reader: RecordReader, request: Omit<RecomputeRequest, 'records'>, onShape: OnShape) {
    this.#reader = reader
    this.#request = request
    this.#onShape = onShape
  }

  /** Drops what was followed if it takes too much memory. */
  forget(): void {
    if (this.#known.size > maxKnown) this.#known.clear()
  }

  /** @param chain the records for which these are computed */
  async all(
    object: ObjectId,
    records: readonly StoredRecord[],
    chain: readonly string[],
  ): Promise<Computed[]> {
    const { snapshot } = this.#request
    const key = snapshot.names.objectKey(object)
    if (key === undefined || objectPrograms(snapshot.view, key) === null)
      return records.map(({ values, bindings, inputs }) => ({
        shape: {
          ...{ values: new Map(values), bindings: new Map(bindings), inputs: new Map(inputs), problems: [] },
        },
        followed: new Set(),
      }))
    const loaded = await loadReadings(this.#reader, [
      { snapshot, object: key, records: records.map(({ values }) => values) },
    ])
    const computed: Computed[] = []
    for (const record of records)
      computed.push(
        await this.#compute(key, record, loaded, { chain: [...chain, record.id], followed: new Set() }),
      )
    return computed
  }

  async #compute(key: string, record: StoredRecord, loaded: LoadedRecords, place: Place): Promise<Computed> {
    const input = inputOf(this.#request, record, await this.#loadedFor(key, record, loaded, place))
    const children = new Map<FieldId, readonly RecordState[]>()
    const cells = new CellMap(input)
    for (const { id, child, via } of staleRollups(cells)) {
      const found = await this.#reader.find(child, via, record.id)
      const isFollowed = this.#request.follows?.children(record.object, child) === true
      children.set(id, isFollowed ? await this.#states(child, found, place) : found)
    }
    const shape = computeCells(input, children, undefined, cells)
    this.#onShape(record, shape, place.followed)
    return { shape, followed: place.followed }
  }

  /** The records that a record reads along references, those that are followed as they would be. */
  async #loadedFor(
    key: string,
    record: StoredRecord,
    loaded: LoadedRecords,
    place: Place,
  ): Promise<LoadedRecords> {
    const { follows, snapshot } = this.#request
    if (follows === undefined) return loaded
    const read = recordsAlong(snapshot, key, record.values, loaded).filter(({ object }) =>
      follows.along(record.object, object),
    )
    if (read.length === 0) return loaded
    const states = new Map<string, RecordState>()
    for (const [object, records] of Map.groupBy(read, (each) => each.object))
      for (const state of await this.#states(object, records, place)) states.set(state.id, state)
    return (id) => states.get(id) ?? loaded(id)
  }

  async #states(
    object: ObjectId,
    records: readonly StoredRecord[],
    { chain, followed }: Place,
  ): Promise<readonly RecordState[]> {
    if (chain.length >= maxChain) return records
    const unknown = records.filter(({ id }) => !this.#known.has(id) && !chain.includes(id))
    for (const [at, computed] of (await this.all(object, unknown, chain)).entries())
      this.#known.set(unknown[at]!.id, computed)
    return records.map((record) => {
      const known = chain.includes(record.id) ? undefined : this.#known.get(record.id)
      if (known === undefined) return record
      for (const id of [record.id, ...known.followed]) followed.add(id)
      return { ...record, values: known.shape.values }
    })
  }
}

function inputOf(
  { snapshot, scopePath }: Omit<RecomputeRequest, 'records'>,
  { id, object, values, bindings, inputs }: StoredRecord,
  loaded: LoadedRecords,
): ShapeInput {
  return {
    ...{ id, object, values, bindings, inputs, scopePath, loaded, present: snapshot, recompute: true },
    ...{ missing: new Set<FieldId>(), isNew: false, dirty: new Set<FieldId>() },
    snapshotAt: () => snapshot,
  }
}
