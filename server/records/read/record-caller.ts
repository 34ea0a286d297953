// Who reads records, and in which generation.
import { objectKeyOf } from '#kernel/components/object/object-named.ts'
import type { ScopePath } from '#kernel/components/scopes.ts'
import { rowPrograms, type ObjectPrograms, type RecordSnapshot } from '#kernel/records/index.ts'
import { recordAccess, type EffectiveAccess, type RecordAccess } from '../../access/index.ts'
import type { RecordSnapshots } from '../deps.ts'
import { accessDenied, notStored, unknownObject } from '../save/record-errors.ts'

export interface RecordCaller {
  /** The generation of the request. */
  present: RecordSnapshot
  scopePath: ScopePath
  access: RecordAccess
}

/** Who reads, with the rights of a request. */
export interface CallerRights {
  access: EffectiveAccess
  generation: number
  scopePath: ScopePath
}

/** Returns the caller of a request, the same one for requests that follow each other with the same rights. */
export function createRecordCallers(snapshots: RecordSnapshots): (rights: CallerRights) => RecordCaller {
  const known = new WeakMap<EffectiveAccess, RecordCaller>()
  return ({ access, generation, scopePath }) => {
    const present = snapshots.at(generation)
    const last = known.get(access)
    if (last?.present === present && last.scopePath === scopePath) return last
    const caller = { present, scopePath, access: recordAccess(access, { snapshot: present, scopePath }) }
    known.set(access, caller)
    return caller
  }
}

/**
 * An object by its key or alias, as far as the caller can see it.
 * @throws AlmanacError `object.not_found`
 */
export function visibleObject({ present, access }: RecordCaller, name: string): ObjectPrograms {
  const object = objectKeyOf(present.view, name) ?? name
  const programs = rowPrograms(present.view, object)
  if (programs !== null && present.names.objectId(object) !== undefined && access.canSeeObject(object))
    return programs
  throw unknownObject(name, visibleObjects({ present, access }))
}

/** The same for an object whose records the caller can read. @throws AlmanacError `object.not_found`, `access.denied` */
export function readableObject(caller: RecordCaller, name: string): ObjectPrograms {
  const programs = visibleObject(caller, name)
  if (!caller.access.may(programs.object, 'read'))
    throw accessDenied(caller.access.user, 'read', programs.object)
  return programs
}

/**
 * The same for an object that stores its records here.
 * @throws AlmanacError `object.not_found`, `access.denied`, `virtual.not_stored`
 */
export function storedObject(caller: RecordCaller, name: string): ObjectPrograms {
  return requireStored(readableObject(caller, name))
}

/** @throws AlmanacError `virtual.not_stored` */
export function requireStored(programs: ObjectPrograms): ObjectPrograms {
  if (programs.isVirtual) throw notStored(programs.object)
  return programs
}

/** The keys of the objects that the caller can see. */
export function visibleObjects({ present, access }: Pick<RecordCaller, 'present' | 'access'>): string[] {
  return [...present.view.list('object')].filter(({ key }) => access.canSeeObject(key)).map(({ key }) => key)
}
