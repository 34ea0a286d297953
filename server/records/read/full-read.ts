// What a read of all fields of an object needs. It is the same for every record, so it is computed once for a caller.
import type { ObjectPrograms } from '#kernel/records/index.ts'
import type { UsedField } from '../uses/field-uses.ts'
import { usedByFullRead, usedObject } from '../uses/used-fields.ts'
import { fullProjection, type ProjectedField } from './projection.ts'
import { readsAlone } from '../save/related-records.ts'
import type { RecordCaller } from './record-caller.ts'

export interface FullRead {
  projection: readonly ProjectedField[]
  /** What a read uses, the same list each time. @param name of the object: its key or an alias */
  usedAs(name: string): readonly UsedField[]
  isAlone: boolean
}

const known = new WeakMap<RecordCaller, Map<ObjectPrograms, FullRead>>()

/** Whether a read of a record reads no other records, for its fields and for the rights on it. */
export function isReadAlone(
  { present }: RecordCaller,
  object: string,
  projection: readonly ProjectedField[],
): boolean {
  return readsAlone(present, object) && projection.every(({ path }) => path.length === 1)
}

export function fullRead(caller: RecordCaller, programs: ObjectPrograms): FullRead {
  let reads = known.get(caller)
  if (reads === undefined) known.set(caller, (reads = new Map()))
  let read = reads.get(programs)
  if (read === undefined) {
    const projection = fullProjection(programs)
    const isAlone = isReadAlone(caller, programs.object, projection)
    read = { projection, usedAs: usesByName(caller, programs), isAlone }
    reads.set(programs, read)
  }
  return read
}

function usesByName(caller: RecordCaller, programs: ObjectPrograms): FullRead['usedAs'] {
  const lists = new Map<string, readonly UsedField[]>()
  return (name) => {
    let used = lists.get(name)
    if (used === undefined) {
      used = [...usedObject(caller.present, name), ...usedByFullRead(caller, programs)]
      lists.set(name, used)
    }
    return used
  }
}
