// What a read of all fields of an object needs. It is the same for every record, so it is computed once for a caller.
import type { ObjectPrograms } from '#kernel/records/index.ts'
import type { UsedField } from '../uses/field-uses.ts'
import { usedByFullRead } from '../uses/used-fields.ts'
import { fullProjection, type ProjectedField } from './projection.ts'
import type { RecordCaller } from './record-caller.ts'

export interface FullRead {
  projection: readonly ProjectedField[]
  used: readonly UsedField[]
}

const known = new WeakMap<RecordCaller, Map<ObjectPrograms, FullRead>>()

export function fullRead(caller: RecordCaller, programs: ObjectPrograms): FullRead {
  let reads = known.get(caller)
  if (reads === undefined) known.set(caller, (reads = new Map()))
  let read = reads.get(programs)
  if (read === undefined) {
    read = { projection: fullProjection(programs), used: usedByFullRead(caller, programs) }
    reads.set(programs, read)
  }
  return read
}
