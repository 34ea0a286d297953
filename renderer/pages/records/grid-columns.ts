// The columns of a grid of records: a reference shows the name of its record.
import type { FieldDescription, ObjectDescription } from '../../api/records.ts'
import { describedObject, nameFieldOf } from './record-source.ts'

export interface GridColumn {
  /** The name that the list view or the layout gives it. */
  path?: string
  /** In a query: the key of the field, or the name field of the record that it refers to. */
  name: string
  /** With the references on the way to the field: `Buyer: Country`. */
  label: string
  field: FieldDescription
  /** The reference along which the field of a different record is read; null for a field of the record. */
  along: FieldDescription | null
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
      const column = await columnAlong([], object, path.split('.'), path, epoch)
      return column === null ? [] : [{ ...column, path }]
    }),
  )
  return columns.flat()
}

/** @param way the references that lead to `object` */
async function columnAlong(
  way: readonly FieldDescription[],
  object: ObjectDescription,
  [first, ...rest]: readonly string[],
  name: string,
  epoch: number,
): Promise<GridColumn | null> {
  const field = object.fields.find(({ key, aliases }) => key === first || aliases.includes(first!))
  if (field === undefined) return null
  if (rest.length === 0) {
    // A path cannot lead through a virtual object.
    const isEnd = field.references === null || (way.length > 0 && object.remote !== null)
    const shown = isEnd ? name : name + (await shownName(field, epoch)).slice(field.key.length)
    return {
      ...{ name: shown, label: [...way, field].map(({ label }) => label).join(': ') },
      ...{ field, along: way[0] ?? null },
      sortable:
        isSortable(field) && (await isSortedBySource(way[0]?.references ?? null, object, shown, epoch)),
    }
  }
  const target =
    field.references === null ? null : await describedObject(field.references, epoch).catch(() => null)
  return target === null ? null : columnAlong([...way, field], target, rest, name, epoch)
}

/** The name field first. */
export async function columnsOf(object: ObjectDescription, epoch: number): Promise<GridColumn[]> {
  const first = nameFieldOf(object)
  const fields = object.fields.toSorted((a, b) => Number(b.key === first) - Number(a.key === first))
  return Promise.all(
    fields.map(async (field): Promise<GridColumn> => {
      const name = await shownName(field, epoch)
      const sortable = isSortable(field) && (await isSortedBySource(null, object, name, epoch))
      return { name, label: field.label, field, along: null, sortable }
    }),
  )
}

/** What a query reads for the columns: also the references themselves, which an edit changes. */
export function queriedNames(columns: readonly GridColumn[]): string[] {
  return [...new Set([...columns.map(({ name }) => name), ...columns.map(storedName)])]
}

/** The name under which a query has the value that an edit of the column changes. */
export const storedName = ({ name, field, along }: GridColumn): string =>
  along === null && field.references !== null ? field.key : name

const isSortable = ({ computed, filling }: FieldDescription): boolean =>
  computed !== 'virtual_formula' && !filling

/**
 * Whether a column can order the list: a source orders only by its own fields, and nothing here orders by those of a source.
 *
 * @param through the object that the first reference of the path leads to; null if it is the object of the list
 * @param object of the last field of the path
 */
async function isSortedBySource(
  through: string | null,
  object: ObjectDescription,
  name: string,
  epoch: number,
): Promise<boolean> {
  if (object.remote !== null) return through === null && object.remote.sorts && !name.includes('.')
  const field = object.fields.find(({ key }) => key === name.split('.').at(-2))
  const target =
    field?.references == null ? null : await describedObject(field.references, epoch).catch(() => null)
  return target?.remote == null
}

/** The name of a field in a query that shows a reference by the name of its record. */
export async function shownName({ key, references }: FieldDescription, epoch: number): Promise<string> {
  if (references === null) return key
  const target = await describedObject(references, epoch).catch(() => null)
  const name = target === null || !target.rights.read ? null : nameFieldOf(target)
  return name === null ? key : `${key}.${name}`
}
