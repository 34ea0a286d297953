// Which fields of records a change list reaches, through formulas, roll-ups and along references, and which records have to be
// computed again because others read those fields.
import { canonicalJson, type JsonValue } from '#kernel/change/canonical.ts'
import { impactReaders, type Change } from '#kernel/change/index.ts'
import { splitId } from '#kernel/components/component.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import { isComputed } from '#kernel/components/object/is-computed.ts'
import type { ReferenceGraph } from '#kernel/graph/index.ts'
import { stepsOf } from '#kernel/graph/pointer-edit.ts'
import {
  objectPrograms,
  type FieldId,
  type ObjectId,
  type ObjectPrograms,
  type RecordSnapshot,
} from '#kernel/records/index.ts'
import type { Followed, Follows } from '../records/index.ts'

export interface AffectedFields {
  /** Objects with stored values that can become different ones. */
  objects: ReadonlySet<ObjectId>
  /** What a recompute in a snapshot of the list has to compute first. */
  follows: (snapshot: RecordSnapshot) => Follows
}

interface ChangeList {
  present: RecordSnapshot
  candidate: RecordSnapshot
  changes: readonly Change[]
  /** Of the candidate. */
  graph: ReferenceGraph
}

export function affectedFields(list: ChangeList): AffectedFields {
  const { present, candidate, changes } = list
  const fields = graphOf(present)
  for (const { id, kind } of changes) {
    const { type, key } = splitId(id)
    if (type === 'object' && kind !== 'removed') fields.add(candidate, key)
  }
  const reached = fields.reachedFrom([...changedFields(list), ...readingFields(list)])
  return { objects: fields.storedIn(reached), follows: (snapshot) => graphOf(snapshot).follows(reached) }
}

function graphOf(snapshot: RecordSnapshot): FieldGraph {
  const fields = new FieldGraph()
  for (const { key } of snapshot.view.list('object')) fields.add(snapshot, key)
  return fields
}

/** The fields whose definition differs. */
function changedFields({ present, candidate, changes }: ChangeList): FieldId[] {
  return changes.flatMap((change) => {
    const { type, key } = splitId(change.id)
    if (type !== 'object') return []
    const before = definitions(present, change.kind === 'renamed' ? splitId(change.from).key : key)
    const after = definitions(candidate, key)
    const ids = new Set([...before.keys(), ...after.keys()])
    return [...ids].filter((id) => before.get(id) !== after.get(id))
  })
}

/** The definition of each field as JSON, without its names. */
function definitions({ view, names }: RecordSnapshot, object: string): Map<FieldId, string> {
  const programs = objectPrograms(view, object)
  const ids = names.fieldIds(object)
  return new Map(
    programs?.body.fields.map((field) => [
      ids.get(field.key)!,
      canonicalJson({ ...field, key: '', label: '', aliases: [] } as unknown as JsonValue),
    ]),
  )
}

/** The fields that read something else that the list changes, directly or through functions and other fields. */
function readingFields({ candidate, changes, graph }: ChangeList): FieldId[] {
  const others = changes.filter(({ id }) => splitId(id).type !== 'object')
  return impactReaders(others, graph).flatMap(({ id, type, paths }) => {
    if (type !== 'object') return []
    const { key } = splitId(id)
    const programs = objectPrograms(candidate.view, key)
    const ids = candidate.names.fieldIds(key)
    return paths.flatMap((path) => {
      const [, list, index] = stepsOf(path)
      const field = list === 'fields' ? programs?.body.fields[Number(index)] : undefined
      return (field === undefined ? undefined : ids.get(field.key)) ?? []
    })
  })
}

interface Node {
  object: ObjectId
  isComputed: boolean
  isStored: boolean
  reads: Set<FieldId>
  /** The object whose records a roll-up reads. */
  child: ObjectId | null
}

/** What the fields of all objects read, by identity, in one or more generations. */
class FieldGraph {
  readonly #nodes = new Map<FieldId, Node>()

  add(snapshot: RecordSnapshot, object: string): void {
    const programs = objectPrograms(snapshot.view, object)
    const id = snapshot.names.objectId(object)
    if (programs === null || id === undefined) return
    const ids = snapshot.names.fieldIds(object)
    for (const field of programs.body.fields) {
      const child = field.rollup === undefined ? undefined : snapshot.names.objectId(field.rollup.child)
      const node = this.#nodeOf(ids.get(field.key)!, id)
      node.isComputed ||= isComputed(field)
      node.isStored ||= field.rollup !== undefined || field.formula?.stored === true
      node.child ??= child ?? null
      for (const read of readsOf(snapshot, programs, field)) node.reads.add(read)
    }
  }

  #nodeOf(id: FieldId, object: ObjectId): Node {
    let node = this.#nodes.get(id)
    if (node === undefined) {
      node = { object, isComputed: false, isStored: false, reads: new Set(), child: null }
      this.#nodes.set(id, node)
    }
    return node
  }

  /** The fields that read these, directly or not, and themselves. */
  reachedFrom(start: readonly FieldId[]): ReadonlySet<FieldId> {
    const readers = new Map<FieldId, FieldId[]>()
    for (const [id, { reads }] of this.#nodes)
      for (const read of reads) {
        const known = readers.get(read)
        if (known === undefined) readers.set(read, [id])
        else known.push(id)
      }
    const reached = new Set(start)
    // Grows while it is iterated.
    for (const id of reached) for (const reader of readers.get(id) ?? []) reached.add(reader)
    return reached
  }

  /** The objects with stored values among these fields. */
  storedIn(fields: Iterable<FieldId>): ReadonlySet<ObjectId> {
    const objects = new Set<ObjectId>()
    for (const id of fields) {
      const node = this.#nodes.get(id)
      if (node?.isStored === true) objects.add(node.object)
    }
    return objects
  }

  follows(reached: ReadonlySet<FieldId>): Follows {
    const known = new Map<string, Followed>()
    return (object, fields) => {
      const place = `${object} ${fields === null ? '' : [...fields].sort((a, b) => a - b).join()}`
      let followed = known.get(place)
      if (followed === undefined) known.set(place, (followed = this.#followed(object, fields, reached)))
      return followed
    }
  }

  #followed(object: ObjectId, fields: ReadonlySet<FieldId> | null, reached: ReadonlySet<FieldId>): Followed {
    const along = new Map<ObjectId, Set<FieldId>>()
    const children = new Map<ObjectId, Set<FieldId>>()
    const add = (to: typeof along, of: ObjectId, field: FieldId): void =>
      void to.set(of, (to.get(of) ?? new Set()).add(field))
    const own = new Set(fields ?? this.#fieldsOf(object))
    // Grows while it is iterated.
    for (const id of own)
      for (const read of this.#readsThrough(id)) {
        const node = this.#nodes.get(read)
        if (node?.isStored !== true || !reached.has(read)) continue
        if (node.object === this.#nodes.get(id)!.child) add(children, node.object, read)
        else {
          add(along, node.object, read)
          if (node.object === object) own.add(read)
        }
      }
    return { fields: fields === null ? null : own, along, children }
  }

  *#fieldsOf(object: ObjectId): Iterable<FieldId> {
    for (const [id, node] of this.#nodes) if (node.object === object && node.isStored) yield id
  }

  /** What a field reads, also through formulas that are computed at each read. */
  #readsThrough(id: FieldId): Set<FieldId> {
    const found = new Set(this.#nodes.get(id)?.reads)
    // Grows while it is iterated.
    for (const read of found) {
      const node = this.#nodes.get(read)
      if (node?.isComputed === true && !node.isStored) for (const next of node.reads) found.add(next)
    }
    return found
  }
}

/** The fields that a field reads: every step of every path. */
function readsOf(snapshot: RecordSnapshot, programs: ObjectPrograms, field: ObjectField): FieldId[] {
  const { view, names } = snapshot
  const idOf = (object: string, name: string): FieldId | undefined => {
    const key = objectPrograms(view, object)?.field(name)?.key
    return key === undefined ? undefined : names.fieldIds(object).get(key)
  }
  const program = field.rollup === undefined ? programs.formula(field) : programs.filter(field)
  const read = (program?.program.reads.fields ?? []).map(({ object, field: name }) => idOf(object, name))
  const { rollup } = field
  const rolledUp = [rollup?.via, rollup?.of].map((name) =>
    name === undefined ? undefined : idOf(rollup!.child, name),
  )
  return [...read, ...rolledUp].flatMap((id) => id ?? [])
}
