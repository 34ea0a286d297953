// Whether a caller can read everything that a formula reads, also within the virtual formulas that it reads: only then can an
// error with values be shown, or the keys and dates with which it reads configuration.
import {
  objectPrograms,
  type FieldProgram,
  type ObjectPrograms,
  type RecordSnapshot,
} from '#kernel/records/index.ts'
import type { ObjectField } from '#kernel/components/object/body.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { RecordAccess } from '../../access/index.ts'
import type { RecordReader, StoredRecord } from '../../ports/record-store.ts'
import { canReadAlong } from './can-read-along.ts'
import { presentName } from './present-name.ts'
import { pathOf } from './projection.ts'
import type { RecordCaller } from './record-caller.ts'

interface Reading {
  caller: RecordCaller
  reader: RecordReader
  programs: ObjectPrograms
  record: StoredRecord
}

/** @param program of the record, in the generation of the snapshot */
export async function canReadAll(
  reading: Reading,
  snapshot: RecordSnapshot,
  program: FieldProgram,
): Promise<boolean> {
  return canReadConfiguration(reading.caller.access, program) && canReadFields(reading, snapshot, program)
}

/** The same for the fields alone, with those of the as-of dates. */
export async function canReadFields(
  { caller, reader, programs, record }: Reading,
  snapshot: RecordSnapshot,
  program: FieldProgram,
): Promise<boolean> {
  const own = objectPrograms(snapshot.view, snapshot.names.objectKey(record.object)!)!
  for (const path of deepPaths(snapshot, own, program)) {
    const name = presentName(snapshot, caller.present, record.object, path)
    if (name === null || !(await canReadAlong(caller, reader, programs, record, name))) return false
  }
  return true
}

/** The same for the filter of a roll-up, for every record that it can read. */
export function canReadChildren(
  caller: RecordCaller,
  snapshot: RecordSnapshot,
  child: string,
  filter: FieldProgram,
): boolean {
  const { access, present } = caller
  const id = snapshot.names.objectId(child)
  const key = id === undefined ? undefined : present.names.objectKey(id)
  const programs = key === undefined ? null : objectPrograms(present.view, key)
  if (id === undefined || programs === null) return false
  for (const path of deepPaths(snapshot, objectPrograms(snapshot.view, child)!, filter)) {
    const name = presentName(snapshot, present, id, path)
    const steps = name === null ? 'unknown' : pathOf(caller, programs, name)
    if (!Array.isArray(steps)) return false
    for (const { object, field } of steps as Exclude<typeof steps, string>) {
      const isEachVisible = access.may(object, 'read') && access.accessToAll(object) !== 'none'
      if (!isEachVisible || !access.canReadField(object, field.key)) return false
    }
  }
  return true
}

/** Whether the user can read every set and flag that a program reads. */
export function canReadConfiguration(
  access: Pick<RecordAccess, 'requireValues'>,
  { program }: FieldProgram,
): boolean {
  const { deepSets, deepFlags } = program.reads
  const sets = [...deepSets.map(({ set }) => set), ...deepFlags]
  return sets.every((set) => canReadValues(access, set))
}

function canReadValues(access: Pick<RecordAccess, 'requireValues'>, set: string): boolean {
  try {
    access.requireValues(set)
    return true
  } catch (error) {
    if (error instanceof AlmanacError) return false
    throw error
  }
}

/** What a program reads, with what the virtual formulas at the ends of its paths read in turn. */
function* deepPaths(
  snapshot: RecordSnapshot,
  programs: ObjectPrograms,
  { paths, program: { dated, asOfField } }: FieldProgram,
  seen: ReadonlySet<FieldProgram> = new Set(),
): Iterable<readonly string[]> {
  // The filter of a roll-up is dated by the parent.
  if (dated && asOfField?.object === programs.object) yield [asOfField.field]
  for (const { path } of paths) {
    yield path
    const end = formulaAt(snapshot, programs, path)
    if (end === null || seen.has(end.program)) continue
    const before = path.slice(0, -1)
    for (const inner of deepPaths(snapshot, end.programs, end.program, new Set([...seen, end.program])))
      yield [...before, ...inner]
  }
}

/** The virtual formula at the end of a path; null if the field is stored. */
function formulaAt(
  { view }: RecordSnapshot,
  start: ObjectPrograms,
  path: readonly string[],
): { programs: ObjectPrograms; program: FieldProgram } | null {
  let programs: ObjectPrograms | null = start
  for (const [index, name] of path.entries()) {
    const field: ObjectField | undefined = programs?.field(name)
    if (programs === null || field === undefined) return null
    if (index === path.length - 1) {
      const program = field.formula?.stored === false ? programs.formula(field) : null
      return program === null ? null : { programs, program }
    }
    programs = field.references === undefined ? null : objectPrograms(view, field.references)
  }
  return null
}
