// Reads everything that the page of a record shows: its fields, the names of the records that it refers to, and its history.
import {
  fetchRecord,
  fetchRecordHistory,
  type ObjectDescription,
  type PlacedPage,
  type RecordHistory,
  type RecordJson,
} from '../../api/records.ts'
import { columnsOfView, shownName, type GridColumn } from './grid-columns.ts'

export interface ReadRecord {
  found: RecordJson
  /** Names of the records that references name, by field. */
  names: Record<string, string>
  /** The name under which each was read. */
  read: Record<string, string>
  /** Fields along references that the layout shows. */
  along: GridColumn[]
  past: RecordHistory
}

interface Reading {
  /** Paths along references. */
  paths: string[]
  epoch: number
  app: string | null
}

/** The paths along references that a layout shows. */
export const pathsOf = (page: PlacedPage | null): string[] =>
  (page?.sections ?? []).flatMap(({ items }) =>
    items.flatMap((item) => (item.type === 'field' && item.key.includes('.') ? [item.key] : [])),
  )

/** The rows of a source have none here. */
const noHistory: RecordHistory = { changes: [], nextCursor: null }

export async function readRecord(
  object: ObjectDescription,
  id: string,
  { paths, epoch, app }: Reading,
): Promise<ReadRecord> {
  const { key, fields } = object
  const [shown, along] = await Promise.all([
    Promise.all(fields.map(async (field) => [field.key, await shownName(field, epoch)] as const)),
    columnsOfView(object, paths, epoch),
  ])
  const all = [
    ...fields.map((field) => field.key),
    ...shown.map(([, name]) => name),
    ...along.map(({ name }) => name),
  ]
  const [found, past] = await Promise.all([
    fetchRecord(key, id, [...new Set(all)], app),
    object.remote === null ? fetchRecordHistory(key, id) : noHistory,
  ])
  return {
    ...{ found, along, past, read: Object.fromEntries(shown) },
    names: Object.fromEntries(shown.map(([field, name]) => [field, String(found.fields[name] ?? '')])),
  }
}
