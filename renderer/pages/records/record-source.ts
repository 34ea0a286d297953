// Finds the records that a reference can name, by their name field.
import type { LookupSearch } from '../../../elements/index.ts'
import {
  fetchObject,
  fetchRecord,
  searchRecords,
  type InApp,
  type ObjectDescription,
  type RecordValue,
} from '../../api/records.ts'
import { viewedUserKey } from '../../api/request.ts'
import { placesIn, type RecordPlaces } from './record-places.ts'
import { recordValueWords } from './record-words.ts'

const pageSize = 50

const descriptions = new Map<string, Promise<ObjectDescription>>()

/** The description of an object; read once for each generation, and for each user as whom it is read. */
export function describedObject(object: string, epoch: number): Promise<ObjectDescription> {
  const place = `${viewedUserKey() ?? ''} ${epoch} ${object}`
  let found = descriptions.get(place)
  if (found === undefined) {
    found = fetchObject(object)
    found.catch(() => descriptions.delete(place))
    descriptions.set(place, found)
  }
  return found
}

/** The field by which records of an object are shown; null if the user can read none. */
export function nameFieldOf({ nameField, fields }: ObjectDescription): string | null {
  const text = fields.find(({ type, computed }) => type === 'text' && computed !== 'virtual_formula')
  return nameField ?? text?.key ?? null
}

/** The name of a record; its id if the user cannot read the name. @throws ApiError */
export async function nameOfRecord(
  object: string,
  id: string,
  { epoch, app }: { epoch: number; app: InApp },
): Promise<string> {
  const name = nameFieldOf(await describedObject(object, epoch))
  if (name === null) return id
  const { fields } = await fetchRecord(object, id, [name], app)
  return String(fields[name] ?? id)
}

export function recordSource(
  object: string,
  epoch: () => number,
  places: () => RecordPlaces = () => placesIn(null),
): LookupSearch {
  return async (query, { matchFields, displayFields, signal, cursor }) => {
    const described = await describedObject(object, epoch())
    const name = nameFieldOf(described)
    const shown = displayFields.length > 0 ? displayFields : sublabelFields(described, name)
    const { records, nextCursor } = await searchRecords(
      object,
      {
        text: query,
        ...(matchFields.length === 0 ? {} : { matchFields }),
        fields: [...(name === null ? [] : [name]), ...shown, described.fields[0]!.key],
        limit: pageSize,
        ...(typeof cursor === 'string' ? { cursor } : {}),
      },
      signal,
      places().app,
    )
    const options = records.map(({ id, fields: values }) => ({
      value: id,
      label: name === null ? id : String(values[name] ?? id),
      sublabel: shown.flatMap((field) => sublabelOf(described, field, values[field] ?? null)).join(', '),
      href: places().record(object, id),
    }))
    return { options, next: nextCursor }
  }
}

function sublabelOf({ fields }: ObjectDescription, name: string, value: RecordValue): string[] {
  const field = fields.find(({ key }) => key === name)
  return value === null ? [] : [field === undefined ? String(value) : recordValueWords(field, value)]
}

function sublabelFields({ fields }: ObjectDescription, name: string | null): string[] {
  const readable = fields.filter(({ key, type }) => key !== name && type !== 'reference')
  return readable.slice(0, 2).map(({ key }) => key)
}
