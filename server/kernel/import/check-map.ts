// Checks that a map fits the table and the set, and reports all faults at once, before any row is read.
import type { ComponentOf } from '../components/body-types.ts'
import { AlmanacError } from '../errors/almanac-error.ts'
import { didYouMean } from '../errors/suggest.ts'
import { columnsOf, type ImportMap } from './mapping.ts'
import { ColumnIndex, type Table } from './table.ts'

/** @throws AlmanacError import.invalid naming every column, field and date that does not fit. */
export function checkMap(table: Table, map: ImportMap, set: ComponentOf<'config_set'>): void {
  const faults = [...columnFaults(table, map), ...fieldFaults(map, set), ...shapeFaults(map, set)]
  if (faults.length > 0) throw new AlmanacError('import.invalid', faults.join(' '), { details: faults })
}

function columnFaults(table: Table, map: ImportMap): string[] {
  const columns = new ColumnIndex(table)
  return columnsOf(map)
    .filter(({ column }) => !columns.has(column))
    .map(
      ({ column, use }) =>
        `"${use}" names the column "${column}", which does not exist in ${table.name}.${didYouMean(column, columns.names())}`,
    )
}

function fieldFaults(map: ImportMap, set: ComponentOf<'config_set'>): string[] {
  const known = set.body.fields.map(({ key }) => key)
  return Object.keys(map.values)
    .filter((field) => !known.includes(field))
    .map((field) => `${set.key} has no field "${field}".${didYouMean(field, known)}`)
}

function shapeFaults({ key, from, to }: ImportMap, set: ComponentOf<'config_set'>): string[] {
  const { cardinality, effectiveDated } = set.body
  const faults: string[] = []
  if (cardinality === 'keyed' && key === undefined) faults.push(`${set.key} is keyed: choose the key column.`)
  if (cardinality === 'singleton' && key !== undefined)
    faults.push(`${set.key} is a singleton: the map must not have "key".`)
  if (effectiveDated && from === undefined)
    faults.push(`${set.key} is effective-dated: choose the column with the first day.`)
  if (!effectiveDated && (from ?? to) !== undefined)
    faults.push(`${set.key} has no dates: the map must not have "from" or "to".`)
  return faults
}
