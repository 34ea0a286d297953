// The saves that a save leads to: of parents with roll-ups over it, and of records whose stored formulas read it.
import type { ObjectField } from '#kernel/components/object/body.ts'
import {
  asOfFieldOf,
  objectPrograms,
  type FieldId,
  type ObjectId,
  type ReadAlong,
  type RecordSnapshot,
} from '#kernel/records/index.ts'
import type { ReferenceStep } from '../../ports/record-jobs.ts'
import type { StoredRecord } from '../../ports/record-store.ts'
import { eraseLater, fewFollowers, followLater } from './followers.ts'
import { oncePerView } from './once-per-view.ts'
import { boundRollupReads, readsAny, rollupReads, rollupsOver } from './rollup-reads.ts'
import type { Phase, Save } from './save.ts'

/** Records that are saved with the one that they read. */
const maxFollowers = 200

/** A record to save again. */
export interface RelatedSave {
  object: string
  id: string
  /** Roll-ups over the record that was saved. */
  dirty: ReadonlySet<FieldId>
}

/** Saves a record that another save changes, if that changes its values. */
export type SaveRelated = (cause: Save, related: RelatedSave) => Promise<void>

/** Parents whose roll-ups read what changes of this record, in the order of object and id. */
export const rollUpPhase = (saveRelated: SaveRelated): Phase => ({
  name: 'roll_up',
  run(save) {
    const { context, object, before, after } = save
    if (rollupsOver(context.present, object).length === 0) return undefined
    if (before !== null && after !== null)
      return rollUpChanges(save, changedFields(before, after), saveRelated)
    const parents = parentsOf(save, () => true)
    if (parents.length === 0) return undefined
    const [first, ...others] = parents
    return others.length === 0 ? saveRelated(save, first!) : saveAll(save, parents, saveRelated)
  },
})

async function rollUpChanges(
  save: Save,
  changed: ReadonlySet<FieldId>,
  saveRelated: SaveRelated,
): Promise<void> {
  const { present, snapshots, tx } = save.context
  const bound = (await tx.boundGenerations()).filter((generation) => generation !== present.generation)
  const reads = (rollup: FieldId): boolean => {
    if (readsAny(rollupReads(present), rollup, changed)) return true
    // A roll-up whose filter depends on configuration keeps the filter of the generation that it is bound to.
    return bound.some((generation) => readsAny(boundRollupReads(snapshots.at(generation)), rollup, changed))
  }
  await saveAll(save, parentsOf(save, reads), saveRelated)
}

async function saveAll(save: Save, all: readonly RelatedSave[], saveRelated: SaveRelated): Promise<void> {
  for (const related of all) await saveRelated(save, related)
}

/** Records whose stored formulas read this one along a reference, in the order of object and id; many are left to a job. */
export const recomputeReadersPhase = (saveRelated: SaveRelated): Phase => ({
  name: 'recompute_readers',
  run(save) {
    // Nothing refers to a record that is new or was removed.
    return save.before === null || save.after === null ? undefined : recomputeReaders(save, saveRelated)
  },
})

async function recomputeReaders(save: Save, saveRelated: SaveRelated): Promise<void> {
  const { few, many } = await readersOf(save)
  for (const related of few) await saveRelated(save, related)
  const { context, objectId, id, erased } = save
  for (const chain of many) {
    const source = { object: objectId, id, chain }
    if (erased === null) await followLater(context, source)
    else await eraseLater(context, source, changedFields(save.before!, save.after!))
  }
}

/** @param isDirty whether a roll-up can have a different value */
function parentsOf(save: Save, isDirty: (rollup: FieldId) => boolean): RelatedSave[] {
  const { context, object, programs, ids, before, after } = save
  const found = new Map<string, { object: string; id: string; dirty: Set<FieldId> }>()
  for (const { parent, field } of rollupsOver(context.present, object)) {
    const via = programs.field(field.rollup!.via)
    if (via === undefined) continue
    const reference = ids.get(via.key)!
    const dirty = context.present.names.fieldIds(parent).get(field.key)!
    if (!isDirty(dirty)) continue
    for (const record of [before, after]) {
      const id = record?.values.get(reference)
      // A record that refers to itself is removed with what it rolls up.
      if (typeof id !== 'string' || context.latest.get(id) === null) continue
      const known = found.get(`${parent}/${id}`) ?? { object: parent, id, dirty: new Set() }
      known.dirty.add(dirty)
      found.set(`${parent}/${id}`, known)
    }
  }
  return sorted(found)
}

/** A stored formula of an object that reads a field of another one along references, in one generation. */
export interface Reader {
  /** The formula. */
  of: FieldId
  isText: boolean
  object: ObjectId
  /** From the object to the record that is read: each object with its reference. */
  chain: readonly ReferenceStep[]
  /** The field that is read there. */
  field: FieldId
}

const readersByTarget = oncePerView((snapshot) => {
  const byTarget = new Map<ObjectId, Reader[]>()
  for (const { key, body } of snapshot.view.list('object'))
    for (const field of body.fields)
      if (field.formula?.stored === true)
        for (const [of, reader] of readsOf(snapshot, key, field))
          byTarget.set(of, [...(byTarget.get(of) ?? []), reader])
  return byTarget
})

/** The readers of an object. */
export const readersOver = (snapshot: RecordSnapshot, target: ObjectId): readonly Reader[] =>
  readersByTarget(snapshot).get(target) ?? []

/** What a stored formula of an object reads along references. */
export function readsAlong(snapshot: RecordSnapshot, object: string, key: string): ReadAlong[] {
  const field = objectPrograms(snapshot.view, object)!.field(key)!
  return readsOf(snapshot, object, field).map(([target, reader]) => ({
    ...{ chain: reader.chain, object: target, field: reader.field },
  }))
}

/** The reads of one stored formula beyond its own record, by the object that is read. */
function readsOf(
  { view, names }: RecordSnapshot,
  object: string,
  formula: ObjectField,
): [ObjectId, Reader][] {
  const found = new Map<string, [ObjectId, Reader]>()
  const idOf = (at: string, field: ObjectField): FieldId => names.fieldIds(at).get(field.key)!
  const [of, root] = [idOf(object, formula), names.objectId(object)!]
  const seen = new Set<string>()
  const add = (at: string, field: ObjectField, chain: Reader['chain']): void => {
    const read = idOf(at, field)
    found.set(`${chain.map(({ reference }) => reference).join('.')} ${read}`, [
      names.objectId(at)!,
      { of, isText: formula.type === 'text', object: root, chain, field: read },
    ])
  }
  const collect = (start: string, declared: ObjectField, before: Reader['chain']): void => {
    const place = `${before.map(({ reference }) => reference).join('.')} ${idOf(start, declared)}`
    const program = seen.has(place) ? null : (objectPrograms(view, start)?.formula(declared) ?? null)
    seen.add(place)
    // A virtual formula of another record reads dated sets as of its own date.
    const date = program === null ? null : asOfFieldOf(objectPrograms(view, start)!, program)
    if (date !== null && before.length > 0) add(start, objectPrograms(view, start)!.field(date)!, before)
    for (const { path } of program?.paths ?? []) {
      let [at, chain]: [string | undefined, Reader['chain']] = [start, before]
      for (const name of path) {
        const field: ObjectField | undefined =
          at === undefined ? undefined : objectPrograms(view, at)?.field(name)
        if (at === undefined || field === undefined) break
        if (chain.length > 0) add(at, field, chain)
        if (field.formula?.stored === false) collect(at, field, chain)
        chain = [...chain, { object: names.objectId(at)!, reference: idOf(at, field) }]
        at = field.references
      }
    }
  }
  collect(object, formula, [])
  return [...found.values()]
}

interface Followers {
  /** Saved with the record. */
  few: RelatedSave[]
  /** Left to jobs: how their records lead to the saved one. */
  many: ReferenceStep[][]
}

/** Each record keeps the formulas of the generations that it is bound to, so those are looked at too. */
async function readersOf(save: Save): Promise<Followers> {
  const { context, objectId, id } = save
  const { present, snapshots, tx } = context
  const changed = changedFields(save.before!, save.after!)
  const found = new Map<string, RelatedSave>()
  const many = new Map<string, ReferenceStep[]>()
  const add = async (
    reader: Pick<Reader, 'object' | 'chain' | 'field'>,
    isReader: (record: StoredRecord) => boolean,
  ): Promise<void> => {
    const object = present.names.objectKey(reader.object)
    const chain = JSON.stringify(reader.chain)
    if (object === undefined || !changed.has(reader.field) || many.has(chain)) return
    const followers = await fewFollowers(tx, id, reader.chain, maxFollowers)
    const added = followers?.filter((each) => each.id !== id && isReader(each)) ?? []
    for (const each of added) found.set(`${object}/${each.id}`, { object, id: each.id, dirty: new Set() })
    if (followers === null || found.size > maxFollowers) {
      for (const each of added) found.delete(`${object}/${each.id}`)
      many.set(chain, [...reader.chain])
    }
  }
  for (const generation of new Set([present.generation, ...(await tx.boundGenerations())])) {
    const isPresent = generation === present.generation
    const snapshot = isPresent ? present : snapshots.at(generation)
    for (const reader of readersOver(snapshot, objectId))
      await add(reader, ({ bindings }) => isPresent || bindings.get(reader.of)?.generation === generation)
  }
  // Only an erasure changes archived values.
  if (save.erased !== null)
    for (const reads of await tx.archivedReads())
      for (const { chain, object, field } of reads.along)
        if (object === objectId)
          await add(
            { object: reads.object, chain, field },
            ({ bindings }) => bindings.get(reads.field)?.archived !== undefined,
          )
  return { few: sorted(found), many: [...many.values()] }
}

function changedFields(before: StoredRecord, after: StoredRecord): Set<FieldId> {
  const ids = new Set([...before.values.keys(), ...after.values.keys()])
  return new Set([...ids].filter((id) => (before.values.get(id) ?? null) !== (after.values.get(id) ?? null)))
}

function sorted<T extends RelatedSave>(found: ReadonlyMap<string, T>): T[] {
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, related]) => related)
}
