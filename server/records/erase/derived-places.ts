// Where values are computed from the erased ones: in the record itself, and in the records whose stored formulas read it.
import {
  objectPrograms,
  type ArchivedReads,
  type FieldId,
  type ObjectId,
  type RecordSnapshot,
} from '#kernel/records/index.ts'
import type { ReferenceStep } from '../../ports/record-jobs.ts'
import { readersOver } from '../save/related-saves.ts'

export interface DerivedPlace {
  object: ObjectId
  /** From the object to the record that is erased; empty for the record itself. */
  chain: readonly ReferenceStep[]
  /** The fields with such values, and whether each is a text. */
  fields: Map<FieldId, boolean>
}

/** How many references can lead to the record: as many as saves can lead to each other. */
const maxChain = 8

/**
 * The places of an erasure, the record itself first.
 * @param snapshots the active generation, and those that values are bound to
 * @param archived what archived values read, whose generations can be gone
 */
export function derivedPlaces(
  snapshots: readonly RecordSnapshot[],
  object: ObjectId,
  erased: ReadonlyMap<FieldId, boolean>,
  archived: readonly ArchivedReads[],
): DerivedPlace[] {
  const places = new Map<string, DerivedPlace>()
  const visit = (at: ObjectId, chain: DerivedPlace['chain'], added: ReadonlyMap<FieldId, boolean>): void => {
    const key = `${at} ${JSON.stringify(chain)}`
    const place = places.get(key) ?? { object: at, chain, fields: new Map() }
    places.set(key, place)
    const size = place.fields.size
    for (const [field, isText] of added) place.fields.set(field, isText)
    if (place.fields.size === size || chain.length > maxChain) return
    addOwnReaders(snapshots, archived, place)
    for (const snapshot of snapshots)
      for (const reader of readersOver(snapshot, at))
        if (place.fields.has(reader.field))
          visit(reader.object, [...reader.chain, ...chain], new Map([[reader.of, reader.isText]]))
    for (const { object: reading, field, isText, along } of archived)
      for (const read of along)
        if (read.object === at && place.fields.has(read.field))
          visit(reading, [...read.chain, ...chain], new Map([[field, isText]]))
  }
  visit(object, [], erased)
  return [...places.values()]
}

/** Adds the stored formulas of the object that read one of the fields, also through each other. */
function addOwnReaders(
  snapshots: readonly RecordSnapshot[],
  archived: readonly ArchivedReads[],
  { object, fields }: DerivedPlace,
): void {
  for (let size = -1; size !== fields.size;) {
    size = fields.size
    for (const reads of archived)
      if (reads.object === object && reads.own.some((id) => fields.has(id)))
        fields.set(reads.field, reads.isText)
    for (const { view, names } of snapshots) {
      const key = names.objectKey(object)
      const programs = key === undefined ? null : objectPrograms(view, key)
      if (programs === null) continue
      const ids = names.fieldIds(programs.object)
      for (const field of programs.body.fields) {
        const program = field.formula?.stored === true ? programs.formula(field) : null
        if (program === null) continue
        if ([...programs.ownReads(program)].some((name) => fields.has(ids.get(name)!)))
          fields.set(ids.get(field.key)!, field.type === 'text')
      }
    }
  }
}
