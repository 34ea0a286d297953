// What the store needs for an object of one generation.
import { objectPrograms, type RecordSnapshot } from '#kernel/records/index.ts'
import { recordIndexes } from './record-indexes.ts'
import type { RecordColumn, RecordTable } from '../ports/record-table.ts'

const tables = new WeakMap<RecordSnapshot['view'], Map<string, RecordTable>>()

/** The table of an object that stores its records here. */
export function recordTable({ view, names }: RecordSnapshot, object: string): RecordTable {
  const known = tables.get(view) ?? new Map<string, RecordTable>()
  tables.set(view, known)
  let table = known.get(object)
  if (table === undefined) {
    const ids = names.fieldIds(object)
    const { indexed, searched } = recordIndexes(view, object)
    const columns = objectPrograms(view, object)!.body.fields.flatMap((field): RecordColumn[] => {
      const { key, type, precision, scale, formula, rollup } = field
      if (formula?.stored === false) return []
      return [
        {
          id: ids.get(key)!,
          type,
          ...(precision === undefined ? {} : { precision }),
          ...(scale === undefined ? {} : { scale }),
          indexed: indexed.has(key),
          searched: searched.has(key),
          bound: formula !== undefined || rollup !== undefined,
        },
      ]
    })
    table = { id: names.objectId(object)!, columns }
    known.set(object, table)
  }
  return table
}
