// The names of records, such as those of open pages.
import type { RecordName, RecordPlace } from '#wire/records.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ObjectPrograms } from '#kernel/records/index.ts'
import type { RecordReader } from '../../ports/record-store.ts'
import { nameFieldOf } from '../record-indexes.ts'
import { projectionOf, type ProjectedField } from './projection.ts'
import { readableObject, type RecordCaller } from './record-caller.ts'
import { recordsJson, visibleViews } from './record-json.ts'

/** The name field of an object, if the caller can read it. */
export interface NamedObject {
  programs: ObjectPrograms
  projection: ProjectedField[]
}

/** The objects among these whose records and names the caller can read, by the key or alias that was requested. */
export function namedObjects(caller: RecordCaller, names: Iterable<string>): Map<string, NamedObject> {
  return new Map(
    [...new Set(names)].flatMap((name): [string, NamedObject][] => {
      const programs = readableOrNull(caller, name)
      if (programs === null) return []
      const field = nameFieldOf(caller.present.view, programs.object)
      if (field === null || !caller.access.canReadField(programs.object, field)) return []
      return [[name, { programs, projection: projectionOf(caller, programs, [field]) }]]
    }),
  )
}

/** By object and id, as they were requested. A record that the caller cannot see has no name. */
export async function recordNames(
  caller: RecordCaller,
  reader: RecordReader,
  places: readonly RecordPlace[],
  objects: ReadonlyMap<string, NamedObject>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [name, { programs, projection }] of objects) {
    const { object } = programs
    const ids = new Set(places.flatMap((place) => (place.object === name ? [place.id] : [])))
    const records = await reader.get(caller.present.names.objectId(object)!, [...ids])
    const views = await visibleViews(caller, reader, object, records)
    const visible = records.filter(({ id }) => views.has(id))
    for (const { id, fields } of await recordsJson(caller, reader, object, visible, projection, { views })) {
      const [value] = Object.values(fields)
      if (value != null) found.set(`${name}/${id}`, String(value))
    }
  }
  return found
}

/** In the order of the request. */
export const namedPlaces = (
  places: readonly RecordPlace[],
  ...found: readonly ReadonlyMap<string, string>[]
): RecordName[] =>
  places.map(({ object, id }) => {
    const names = found.flatMap((names) => names.get(`${object}/${id}`) ?? [])
    return { object, id, name: names[0] ?? null }
  })

function readableOrNull(caller: RecordCaller, name: string): ObjectPrograms | null {
  try {
    return readableObject(caller, name)
  } catch (error) {
    if (error instanceof AlmanacError) return null
    throw error
  }
}
