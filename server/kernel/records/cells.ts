// The cells of a record: what each is computed from, and at which generation. A value that depends on configuration keeps its
// generation until its as-of date changes (docs/reference/bindings-and-evidence.md).
import { isComputed } from '../components/object/is-computed.ts'
import type { FieldValue } from '../components/field-types.ts'
import type { ScopePath } from '../components/scopes.ts'
import type { Binding } from '../config/index.ts'
import { dependencyOrder } from '../expr/index.ts'
import { declaredCells, type DeclaredCell, type DeclaredCells } from './declared-cells.ts'
import { asOfDate } from './evaluate-record.ts'
import type { FieldProgram } from './object-programs.ts'
import type { FieldId, ObjectId, RecordSnapshot, StoredBinding } from './record-state.ts'
import { loadedWith, viewValues, type LoadedRecords, type RecordView } from './record-view.ts'
import { storedPath } from './stored-path.ts'
import { asOfFieldsRead, changedDates, type FieldPlace } from './virtual-reads.ts'

export interface ShapeInput {
  /** Of the record. */
  id: string
  object: ObjectId
  /** The record with what was entered; of a saved one, with the earlier values of its stored cells. */
  values: ReadonlyMap<FieldId, FieldValue>
  bindings: ReadonlyMap<FieldId, StoredBinding>
  inputs: ReadonlyMap<FieldId, KeptInputs>
  /** Fields of a new record that were not entered, whose default applies. */
  missing: ReadonlySet<FieldId>
  isNew: boolean
  /** Roll-ups whose children have changed. */
  dirty: ReadonlySet<FieldId>
  /** The generation of the request. */
  present: RecordSnapshot
  snapshotAt: (generation: number) => RecordSnapshot
  /** Of the request. A recompute keeps the scope path of a stored value; an app of the request replaces the stored one. */
  scopePath: ScopePath
  loaded: LoadedRecords
  /** Whether every cell is computed at the generation of the request. */
  recompute: boolean
  /** Whether a recompute leaves archived values as they are. */
  keepsArchived?: boolean
  /** The cells that are computed; all if omitted. */
  only?: ReadonlySet<FieldId> | undefined
}

/**
 * What a stored formula read from other records or virtual formulas, and the as-of dates of these virtual formulas: dotted
 * path → value as JSON.
 */
export type KeptInputs = Readonly<Record<string, unknown>>

/** Where a cell is computed: at the generation of the request, or at the one that it is bound to. */
export interface Cell extends DeclaredCell {
  id: FieldId
  snapshot: RecordSnapshot
  scopePath: ScopePath
  /** Set if the value keeps its generation. */
  kept: Binding | null
  /** Digits after the point as declared at the generation of the request, which can be more. */
  scale: number | undefined
}

/** The cells of a record by identity, each found when it is first needed. */
export class CellMap {
  readonly #input: ShapeInput
  /** Of the generation of the request. */
  readonly #declared: DeclaredCells
  readonly #cells = new Map<FieldId, Cell | null>()
  #order: readonly FieldId[] | null = null

  constructor(input: ShapeInput) {
    this.#input = input
    this.#declared = declaredCells(input.present, input.object)!
  }

  /**
   * The cells of the generation of the request, and what those that keep an older one read of the record itself, in the order
   * of dependency.
   */
  order(): readonly FieldId[] {
    return (this.#order ??= this.#findOrder())
  }

  #findOrder(): readonly FieldId[] {
    const { names } = this.#input.present
    const cells: FieldId[] = []
    let isPresent = true
    for (const id of this.#declared.fields.keys()) {
      const cell = this.get(id)
      if (cell === null) continue
      cells.push(id)
      isPresent &&= cell.snapshot.names === names
    }
    const find = (): FieldId[] => this.#inOrder(cells)
    return isPresent ? this.#declared.orderOf(cells, find) : find()
  }

  #inOrder(cells: readonly FieldId[]): FieldId[] {
    const wanted = new Set(cells)
    // A set includes what is added while it is read.
    for (const id of wanted) for (const each of this.#needs(id, 'ownReads')) wanted.add(each)
    const done = new Set<FieldId>()
    const order: FieldId[] = []
    for (const id of wanted) {
      if (done.has(id)) continue
      for (const each of dependencyOrder<FieldId>(
        id,
        (of) => this.#needs(of, 'cyclicReads').filter((needed) => wanted.has(needed)),
        (of) => done.has(of),
      )) {
        done.add(each)
        order.push(each)
      }
    }
    return order
  }

  get(id: FieldId): Cell | null {
    let cell = this.#cells.get(id)
    if (cell === undefined) this.#cells.set(id, (cell = this.#find(id)))
    return cell
  }

  /** Whether a reference among the cells, a formula or a default, is different: what is read along it was not loaded. */
  isReferenceMoved(before: ShapeInput['values'], after: ShapeInput['values']): boolean {
    return this.order().some((id) => {
      const { type } = this.get(id)!.field
      return type === 'reference' && (before.get(id) ?? null) !== (after.get(id) ?? null)
    })
  }

  /** Whether users enter the field in the generation of the request; it may have been computed before. */
  isEntered(id: FieldId): boolean {
    const field = this.#declared.fields.get(id)?.field
    return field !== undefined && !isComputed(field)
  }

  #needs(id: FieldId, reads: 'ownReads' | 'cyclicReads'): FieldId[] {
    const cell = this.get(id)
    // A roll-up reads only its children.
    if (cell === null || cell.program === null || cell.field.rollup !== undefined) return []
    const ids = cell.snapshot.names.fieldIds(cell.programs.object)
    return [...cell.programs[reads](cell.program)].flatMap((name) => {
      const needed = ids.get(name)
      return needed === undefined || this.get(needed) === null ? [] : [needed]
    })
  }

  #find(id: FieldId): Cell | null {
    const { present, missing, only } = this.#input
    if (only?.has(id) === false) return null
    const now = this.#cellAt(id, present)
    if (now === null && this.isEntered(id)) return null
    if (now !== null && now.field.default !== undefined) return missing.has(id) ? now : null
    if (this.isFrozen(id)) return null
    const cell = this.#atItsGeneration(id, now)
    return cell?.field.rollup === undefined || this.#isStale(cell) ? cell : null
  }

  /** An archived value stays as it is until its as-of date changes, or a recompute is asked for. */
  isFrozen(id: FieldId): boolean {
    const { bindings, values, recompute, keepsArchived } = this.#input
    const mark = bindings.get(id)?.archived
    if (mark === undefined || (recompute && keepsArchived !== true)) return false
    return mark.dates.every(({ field, value }) => (values.get(field) ?? null) === value)
  }

  #atItsGeneration(id: FieldId, now: Cell | null): Cell | null {
    const { bindings, recompute, snapshotAt } = this.#input
    const binding = bindings.get(id)
    if (recompute) return this.#recomputed(now, binding)
    // The generation of an archived value can be gone.
    if (binding === undefined || binding.archived !== undefined) return now
    if (now !== null && !dependsOnConfiguration(binding)) return now
    const kept = this.#cellAt(id, snapshotAt(binding.generation))
    if (kept === null) return now
    if (now !== null && !this.#hasSameDate(kept, binding)) return now
    const dates = now === null ? [] : this.#changedDates(kept)
    // The request is not for the records that have these dates, so its scope path does not apply.
    if (dates.length > 0 && dates.every((place) => place.length > 1))
      return { ...now!, scopePath: storedPath(this.#input.scopePath, binding, this.#appOf(binding)) }
    if (dates.length > 0) return now
    return { ...kept, scopePath: binding.scopePath, kept: binding, scale: now?.field.scale }
  }

  #recomputed(now: Cell | null, binding: StoredBinding | undefined): Cell | null {
    if (now === null || binding === undefined) return now
    const { scopePath } = this.#input
    return { ...now, scopePath: storedPath(scopePath, binding, scopePath.app ?? this.#appOf(binding)) }
  }

  /** The app of a stored value by its key now. */
  #appOf({ scopePath: { app }, generation }: Binding): string | undefined {
    return app === undefined ? undefined : this.#input.present.names.appKey(app, generation)
  }

  /** A roll-up that nothing has changed keeps its value. */
  #isStale({ id, kept }: Cell): boolean {
    const { isNew, dirty, recompute, bindings } = this.#input
    const binding = bindings.get(id)
    if (isNew || recompute || dirty.has(id) || binding === undefined) return true
    return kept === null && dependsOnConfiguration(binding)
  }

  #cellAt(id: FieldId, snapshot: RecordSnapshot): Cell | null {
    const { scopePath, present, object } = this.#input
    const declared = snapshot === present ? this.#declared : declaredCells(snapshot, object)
    const found = declared?.cell(id) ?? null
    if (found === null) return null
    const { field, programs, program } = found
    return { id, field, programs, program, snapshot, scopePath, kept: null, scale: field.scale }
  }

  #hasSameDate({ program, programs, snapshot }: Cell, { asOf }: Binding): boolean {
    if (program?.program.dated !== true) return true
    const record = viewValues(programs.object, this.#input.values, snapshot, this.#input.loaded)
    return asOfDate(program.program, record) === asOf
  }

  /** The as-of fields of virtual formulas whose date is not the one that a stored formula was computed with. */
  #changedDates({ id, field, program, programs, snapshot }: Cell): readonly FieldPlace[] {
    if (field.formula === undefined || program === null) return []
    const places = asOfFieldsRead(snapshot.view, programs.object, program)
    if (places.length === 0) return places
    const { values, bindings, loaded, object, id: own, inputs } = this.#input
    // A reference can lead back to the record.
    const current = loadedWith(loaded, { id: own, object, values, bindings })
    const record = viewValues(programs.object, values, snapshot, current)
    return changedDates(record, places, inputs.get(id) ?? {})
  }
}

const keysOf = new WeakMap<ReadonlyMap<string, FieldId>, ReadonlyMap<FieldId, string>>()

/**
 * The key of a field; undefined if it does not exist in the generation.
 * @param ids `RecordNames.fieldIds`
 */
export function fieldKey(ids: ReadonlyMap<string, FieldId>, id: FieldId): string | undefined {
  let keys = keysOf.get(ids)
  if (keys === undefined) keysOf.set(ids, (keys = new Map([...ids].map(([key, each]) => [each, key]))))
  return keys.get(id)
}

export function dependsOnConfiguration({ config, functions }: Binding): boolean {
  return Object.keys(config).length + Object.keys(functions).length > 0
}

export const asOfOf = (program: FieldProgram | null, record: RecordView): Binding['asOf'] =>
  program === null ? null : asOfDate(program.program, record)
