// The columns of a grid of records: a reference shows the name of its record.
import type { FieldDescription, ObjectDescription } from '../../api/records.ts'
import { describedObject, nameFieldOf } from './record-source.ts'

export interface GridColumn {
  /** The name that the list view or the layout gives it. */
  path?: string
  /** In a query: the key of the field, or the name field of the record that it refers to. */
  name: string
  field: FieldDescription
  sortable: boolean
}

/** The columns of a list view; one that does not exist any more is left out. */
export async function columnsOfView(
  object: ObjectDescription,
  names: readonly string[],
  epoch: number,
): Promise<GridColumn[]> {
  const columns = await Promise.all(
    names.map(async (path) => {
      const column = await columnAlong(object, path.split('.'), path, epoch)
      return column === null ? [] : [{ ...column, path }]
    }),
  )
  return columns.flat()
}

async function columnAlong(
  object: ObjectDescription,
  [first, ...rest]: readonly string[],
  name: string,
  epoch: number,
): Promise<GridColumn | null> {
  const field = object.fields.find(({ key, aliases }) => key === first || aliases.includes(first!))
  if (field === undefined) return null
  if (rest.length === 0)
    return {
      name: field.references === null ? name : name + (await shownName(field, epoch)).slice(field.key.length),
      field,
      sortable: field.computed !== 'virtual_formula' && !field.filling,
    }
  const target =
    field.references === null ? null : await describedObject(field.references, epoch).catch(() => null)
  return target === null ? null : columnAlong(target, rest, name, epoch)
}

/** The name field first. */
export async function columnsOf(object: ObjectDescription, epoch: number): Promise<GridColumn[]> {
  const first = nameFieldOf(object)
  const fields = object.fields.toSorted((a, b) => Number(b.key === first) - Number(a.key === first))
  return Promise.all(
    fields.map(async (field): Promise<GridColumn> => ({
      name: await shownName(field, epoch),
      field,
      sortable: field.computed !== 'virtual_formula' && !field.filling,
    })),
  )
}

/** The name of a field in a query that shows a reference by the name of its record. */
export async function shownName({ key, references }: FieldDescription, epoch: number): Promise<string> {
  if (references === null) return key
  const target = await describedObject(references, epoch).catch(() => null)
  const name = target === null || !target.rights.read ? null : nameFieldOf(target)
  return name === null ? key : `${key}.${name}`
}
