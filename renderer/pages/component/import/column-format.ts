// The format of a column: its dates and decimals, the unit of its numbers, and the meaning of an empty cell.
import type { DateFormat } from '#kernel/import/date-formats.ts'
import type { ImportMap } from '../../../api/tables.ts'
import type { JsonObject, JsonValue } from '../../../api/wire.ts'
import { isObject } from '../../../widgets/widget.ts'
import { columnOf, fieldOf, put, valuesOf, type Target } from './import-map.ts'

type Named = Pick<Target, 'id'>

/** The format of a field in its column. */
export interface ColumnFormat {
  /** The factor by which its numbers are multiplied; 1 leaves them unchanged. */
  times: string
  /** The decimal separator; empty to use that of the other columns. */
  decimal: string
  /** The value of an empty cell; omitted if empty. */
  empty: string
}

/** Units of a number column, by the factor that reverses them. */
export const units: readonly { times: string; label: string }[] = [
  { times: '1', label: 'as written' },
  { times: '0.01', label: 'percentage' },
  { times: '0.001', label: 'divided by 1,000' },
  { times: '100', label: 'times 100' },
  { times: '1000', label: 'in thousands' },
  { times: '-1', label: 'with the opposite sign' },
]

export const dateForms: readonly { value: DateFormat; label: string }[] = [
  { value: 'YYYY-MM-DD', label: '2026-12-31' },
  { value: 'YYYY/MM/DD', label: '2026/12/31' },
  { value: 'DD.MM.YYYY', label: '31.12.2026' },
  { value: 'DD/MM/YYYY', label: 'day first, 31/12/2026' },
  { value: 'MM/DD/YYYY', label: 'month first, 12/31/2026' },
  { value: 'DD-MM-YYYY', label: '31-12-2026' },
  { value: 'DD.MM.YY', label: '31.12.26' },
  { value: 'DD/MM/YY', label: 'day first, 31/12/26' },
  { value: 'MM/DD/YY', label: 'month first, 12/31/26' },
  { value: 'D MMM YYYY', label: '31 Dec 2026' },
  { value: 'MMM D, YYYY', label: 'Dec 31, 2026' },
  { value: 'YYYYMMDD', label: '20261231' },
]

export function columnFormatOf(map: ImportMap, target: Named): ColumnFormat {
  const value = valuesOf(map)[fieldOf(target.id) ?? '']
  const text = (name: string): string =>
    isObject(value) && typeof value[name] === 'string' ? value[name] : ''
  const percent = text('as') === 'percent'
  return {
    times: percent ? '0.01' : text('times') || '1',
    decimal: text('decimal'),
    empty: text('empty'),
  }
}

/** Returns the map with a different format for a target's column; unchanged if the target has no column. */
export function withColumnFormat(map: ImportMap, target: Named, change: Partial<ColumnFormat>): ImportMap {
  const field = fieldOf(target.id)
  const column = columnOf(map, target)
  if (field === null || column === '') return map
  const { times, decimal, empty } = { ...columnFormatOf(map, target), ...change }
  const format: JsonObject = {
    ...(times === '0.01' ? { as: 'percent' } : times === '1' ? {} : { times }),
    ...(decimal === '' ? {} : { decimal }),
    ...(empty === '' ? {} : { empty }),
  }
  const value: JsonValue = Object.keys(format).length === 0 ? column : { column, ...format }
  return { ...map, values: { ...valuesOf(map), [field]: value } }
}

/** The unit of a column after a correction; two factors that cancel out leave the numbers unchanged. */
export function correctedTimes(times: string, correction: string): string {
  const product = Number(times) * Number(correction)
  return units.find((unit) => Math.abs(Number(unit.times) - product) < 1e-9)?.times ?? String(product)
}

export function dateFormOf({ dates }: ImportMap, column: string): string {
  const own = isObject(dates) ? dates[column] : dates
  return typeof own === 'string' ? own : 'YYYY-MM-DD'
}

/** Returns the map with a format for some date columns; `all` are the columns with dates. */
export function withDateForm(
  map: ImportMap,
  columns: readonly string[],
  form: string,
  all: readonly string[],
): ImportMap {
  const forms = Object.fromEntries(
    all.map((column) => [column, columns.includes(column) ? form : dateFormOf(map, column)]),
  )
  const [only, ...others] = new Set(Object.values(forms))
  if (others.length > 0) return { ...map, dates: forms }
  return put(map, 'dates', only === 'YYYY-MM-DD' ? undefined : only)
}
