// What the formula of a value reads, as it is kept beside the mark of an archived value: its formula can be gone with its
// generation.
import {
  objectPrograms,
  fieldKey,
  type ArchivedReads,
  type FieldId,
  type FieldProgram,
  type ObjectPrograms,
  type ReadAlong,
  type RecordSnapshot,
} from '#kernel/records/index.ts'
import type { StoredRecord } from '../../ports/record-store.ts'
import type { RecordSnapshots } from '../deps.ts'
import { readsAlong } from '../save/related-saves.ts'

/** @param field a stored formula that has a binding */
export function archivedReads(
  snapshots: RecordSnapshots,
  record: StoredRecord,
  field: FieldId,
  isText: boolean,
): ArchivedReads {
  const own = new Set<FieldId>()
  const dates = new Map<FieldId, ArchivedReads['dates'][number]>()
  const along = new Map<string, ReadAlong>()
  const seen = new Set<FieldId>()
  const dateAt = (id: FieldId): void =>
    void dates.set(id, { field: id, value: record.values.get(id) ?? null })
  const visit = (id: FieldId): void => {
    if (seen.has(id)) return
    seen.add(id)
    const binding = record.bindings.get(id)
    if (binding?.archived !== undefined) {
      for (const each of binding.archived.own) own.add(each)
      for (const each of binding.archived.dates) dateAt(each.field)
      for (const each of binding.archived.along) along.set(JSON.stringify(each), each)
      return
    }
    const formula = binding === undefined ? null : formulaOf(snapshots.at(binding.generation), record, id)
    // What a user enters, and a roll-up.
    if (formula === null) return void own.add(id)
    for (const each of readsAlong(formula.snapshot, formula.programs.object, formula.key))
      along.set(JSON.stringify(each), each)
    visitProgram(formula, formula.program)
  }
  const visitProgram = ({ snapshot, programs }: Formula, { program, paths }: FieldProgram): void => {
    const ids = snapshot.names.fieldIds(programs.object)
    const asOf = program.dated ? program.asOfField : null
    const dated = asOf === null ? undefined : programs.field(asOf.field)
    if (dated !== undefined) dateAt(ids.get(dated.key)!)
    for (const { path, prior } of paths) {
      const read = prior ? undefined : programs.field(path[0]!)
      if (read === undefined) continue
      if (read.formula?.stored === false) visitVirtual({ snapshot, programs }, read.key)
      else visit(ids.get(read.key)!)
    }
  }
  const virtual = new Set<string>()
  const visitVirtual = (at: Formula, key: string): void => {
    const place = `${at.snapshot.generation} ${key}`
    if (virtual.has(place)) return
    virtual.add(place)
    visitProgram(at, at.programs.formula(at.programs.field(key)!)!)
  }
  visit(field)
  return {
    ...{ object: record.object, field, isText },
    own: [...own].sort((a, b) => a - b),
    dates: [...dates.values()].sort((a, b) => a.field - b.field),
    along: [...along.values()],
  }
}

interface Formula {
  snapshot: RecordSnapshot
  programs: ObjectPrograms
}

/** The stored formula of a field in a generation; null if it has none there. */
function formulaOf(
  snapshot: RecordSnapshot,
  { object }: StoredRecord,
  id: FieldId,
): (Formula & { key: string; program: FieldProgram }) | null {
  const name = snapshot.names.objectKey(object)
  const programs = name === undefined ? null : objectPrograms(snapshot.view, name)
  const key = programs === null ? undefined : fieldKey(snapshot.names.fieldIds(programs.object), id)
  const field = key === undefined ? undefined : programs!.field(key)
  if (field?.formula?.stored !== true) return null
  return { snapshot, programs: programs!, key: field.key, program: programs!.formula(field)! }
}
