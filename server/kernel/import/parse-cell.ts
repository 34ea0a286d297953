// Converts the text of a cell to a field value: a date, a decimal in the field's normal form, true or false, or the
// text.
import type { ConfigField } from '../components/config-set/body.ts'
import type { FieldValue } from '../components/field-types.ts'
import { normaliseNumber } from '../decimal/decimal.ts'
import { percentFactor, readNumber, type NumberFormat, type CellResult } from './cell.ts'
import { readDate, type DateFormat } from './date-formats.ts'
import type { ValueColumn } from './mapping.ts'

export interface CellFormats {
  dates: DateFormat
  number: Omit<NumberFormat, 'times'>
}

export function parseCell(
  field: ConfigField,
  text: string,
  from: ValueColumn,
  { dates, number }: CellFormats,
): CellResult<FieldValue> {
  switch (field.type) {
    case 'date':
      return readDate(text, dates)
    case 'boolean':
      if (text === 'true' || text === 'false') return { ok: true, value: text === 'true' }
      return {
        ok: false,
        reason: `"${text.slice(0, 40)}" is neither true nor false. List in "map" which texts mean true and false.`,
      }
    case 'number': {
      const plain = readNumber(text, { ...number, times: timesOf(from) })
      const normal = normaliseNumber(plain, field.precision ?? 1000, field.scale ?? 0)
      return normal.ok ? { ok: true, value: normal.text } : { ok: false, reason: normal.hint }
    }
    case 'enum':
    case 'text':
    case 'credential_reference':
      // Membership and existence need the whole generation; its rules check them.
      return { ok: true, value: text }
  }
}

function timesOf({ as, times }: ValueColumn): string | null {
  return as === 'percent' ? percentFactor : (times ?? null)
}
