// What a recompute of stored records would store in given generations, without storing it.
import {
  CellMap,
  computeCells,
  objectPrograms,
  staleRollups,
  type FieldId,
  type LoadedRecords,
  type ObjectId,
  type RecordState,
  type Shape,
  type ShapeInput,
  type StaleRollup,
} from '#kernel/records/index.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'
import { recordsAlong } from '../save/related-records.ts'
import { loadReadings } from './cell-request.ts'
import { isReferenceMoved, readerWith } from './moved-references.ts'
import type { Followed, FieldSet, OnShape, RecomputeRequest } from './recompute-request.ts'

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
    const shapes = await recompute.shapes(records)
    recompute.forget()
    return shapes
  }
}

/** Records that are remembered from one part to the next. */
const maxKnown = 20_000

/** Records that are computed for each other; only formulas that read each other lead further. */
const maxChain = 100

const nothing: Followed = { fields: null, along: new Map(), children: new Map() }

interface Computed {
  shape: Shape
  /** The places that were computed for it. */
  followed: ReadonlySet<string>
}

/** A record that is computed, for others or for itself. */
interface Place {
  follows: Followed
  /** The places for which this one is computed, and itself. */
  chain: readonly string[]
  /** Receives the places that are computed for it. */
  followed: Set<string>
}

class Recompute {
  readonly #reader: RecordReader
  readonly #request: Omit<RecomputeRequest, 'records'>
  readonly #onShape: OnShape
  readonly #known = new Map<string, Computed>()

  constructor(reader: RecordReader, request: Omit<RecomputeRequest, 'records'>, onShape: OnShape) {
    this.#reader = reader
    this.#request = request
    this.#onShape = onShape
  }

  async shapes(records: readonly StoredRecord[]): Promise<Shape[]> {
    const { object, follows, fields = null } = this.#request
    const computed = await this.#all(object, records, follows?.(object, fields) ?? nothing, [])
    return computed.map(({ shape }) => shape)
  }

  /** Drops what was followed if it takes too much memory. */
  forget(): void {
    if (this.#known.size > maxKnown) this.#known.clear()
  }

  /** @param chain the places for which these records are computed */
  async #all(
    object: ObjectId,
    records: readonly StoredRecord[],
    follows: Followed,
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
    const loaded = await this.#load(key, records)
    const computed: Computed[] = []
    for (const record of records) {
      const place = {
        follows,
        chain: [...chain, placeOf(record, follows.fields)],
        followed: new Set<string>(),
      }
      computed.push(await this.#compute(key, record, loaded, place))
    }
    return computed
  }

  #load(object: string, records: readonly StoredRecord[]): Promise<LoadedRecords> {
    const { snapshot } = this.#request
    return loadReadings(this.#reader, [{ snapshot, object, records: records.map(({ values }) => values) }])
  }

  async #compute(key: string, record: StoredRecord, loaded: LoadedRecords, place: Place): Promise<Computed> {
    const { followed } = place
    let { shape, isMoved } = await this.#pass(key, record, loaded, place)
    // Other formulas read along references that are computed; each pass finds at least one more of them.
    for (let passes = 0; isMoved && passes < maxChain; passes += 1) {
      const moved = { ...record, values: shape.values }
      ;({ shape, isMoved } = await this.#pass(key, moved, await this.#load(key, [moved]), place))
    }
    this.#onShape(place.chain.at(-1)!, shape, followed)
    return { shape, followed }
  }

  async #pass(
    key: string,
    record: StoredRecord,
    loaded: LoadedRecords,
    place: Place,
  ): Promise<{ shape: Shape; isMoved: boolean }> {
    const along = await this.#loadedFor(key, record, loaded, place)
    const input = inputOf(this.#request, record, along, place.follows.fields)
    const cells = new CellMap(input)
    const children = new Map<FieldId, readonly RecordState[]>()
    for (const rollup of staleRollups(cells))
      children.set(rollup.id, await this.#children(rollup, record.id, place))
    const shape = computeCells(input, children, undefined, cells)
    return { shape, isMoved: cells.isReferenceMoved(record.values, shape.values) }
  }

  /** The children of a roll-up, those that are followed as they would be. */
  async #children(
    { child, via }: StaleRollup,
    parent: string,
    place: Place,
  ): Promise<readonly RecordState[]> {
    const stored = await this.#reader.find(child, via, parent)
    const fields = place.follows.children.get(child)
    const { movedChildren } = this.#request
    if (movedChildren === undefined || fields?.has(via) !== true)
      return this.#states(child, stored, fields, place)
    const moved = await movedChildren(child, via)
    place.followed.add(moved.place)
    const known = new Set(stored.map(({ id }) => id))
    const others = moved.to(parent).filter((id) => !known.has(id))
    const all = [...stored, ...(await this.#reader.get(child, others))]
    const states = await this.#states(child, all, fields, place)
    return states.filter(({ values }) => values.get(via) === parent)
  }

  /** The records that a record reads along references, those that are followed as they would be. */
  async #loadedFor(
    key: string,
    record: StoredRecord,
    loaded: LoadedRecords,
    place: Place,
  ): Promise<LoadedRecords> {
    const { along } = place.follows
    if (along.size === 0) return loaded
    const { snapshot } = this.#request
    const states = new Map<string, RecordState>()
    let all = loaded
    const current = (id: string): RecordState | undefined => states.get(id) ?? all(id)
    for (let passes = 0; passes < maxChain; passes += 1) {
      const read = recordsAlong(snapshot, key, record.values, current).filter(({ id }) => !states.has(id))
      let isMoved = false
      for (const [object, records] of Map.groupBy(read, (each) => each.object))
        for (const [at, state] of (await this.#states(object, records, along.get(object), place)).entries()) {
          states.set(state.id, state)
          isMoved ||= isReferenceMoved(snapshot, records[at]!, state)
        }
      if (!isMoved) break
      // References of these records lead to others, which are not loaded yet.
      const reading = { snapshot, object: key, records: [record.values] }
      all = await loadReadings(readerWith(this.#reader, states), [reading])
    }
    return current
  }

  /** @param fields that are computed first; none if omitted */
  async #states(
    object: ObjectId,
    records: readonly StoredRecord[],
    fields: FieldSet | undefined,
    { chain, followed }: Place,
  ): Promise<readonly RecordState[]> {
    if (fields === undefined || chain.length >= maxChain) return records
    const follows = this.#request.follows!(object, fields)
    const knownOf = (record: StoredRecord): Computed | undefined => {
      const place = placeOf(record, follows.fields)
      return chain.includes(place) ? undefined : this.#known.get(place)
    }
    const unknown = records.filter((record) => {
      const place = placeOf(record, follows.fields)
      return !this.#known.has(place) && !chain.includes(place)
    })
    for (const [at, computed] of (await this.#all(object, unknown, follows, chain)).entries())
      this.#known.set(placeOf(unknown[at]!, follows.fields), computed)
    return records.map((record) => {
      const known = knownOf(record)
      if (known === undefined) return record
      for (const place of [placeOf(record, follows.fields), ...known.followed]) followed.add(place)
      return { ...record, values: known.shape.values }
    })
  }
}

const names = new WeakMap<FieldSet, string>()

function placeOf({ id }: StoredRecord, fields: FieldSet | null): string {
  if (fields === null) return id
  let name = names.get(fields)
  if (name === undefined) names.set(fields, (name = [...fields].sort((a, b) => a - b).join()))
  return `${id} ${name}`
}

function inputOf(
  { snapshot, scopePath }: Omit<RecomputeRequest, 'records'>,
  { id, object, values, bindings, inputs }: StoredRecord,
  loaded: LoadedRecords,
  fields: FieldSet | null,
): ShapeInput {
  return {
    ...{ id, object, values, bindings, inputs, scopePath, loaded, present: snapshot, recompute: true },
    ...{ missing: new Set<FieldId>(), isNew: false, dirty: new Set<FieldId>(), only: fields ?? undefined },
    snapshotAt: () => snapshot,
  }
}
