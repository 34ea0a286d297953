// What people read about a value that does not fit its field.
import { describe, expect, it } from 'vitest'
import type { FieldDescription, RecordValue } from '../../api/records.ts'
import { valueFault } from './value-fault.ts'

const faultOf = (more: Partial<FieldDescription>, value: RecordValue): string | null =>
  valueFault(
    { label: 'Amount', precision: null, scale: null, values: null, labels: null, type: 'text', ...more },
    value,
  )
const amount = { type: 'number', precision: 12, scale: 2 } as const
const stage = {
  ...{ type: 'enum' as const, values: ['busy', 'closed'] },
  labels: { busy: 'In work', closed: 'Closed', old: 'Archived' },
}

describe('a value that does not fit', () => {
  it.each([
    [amount, '1234567890123', 'The number is too large: Amount can have 10 digits before the decimal point.'],
    [amount, '12.345', 'The number has too many decimals: Amount can have 2 digits after the decimal point.'],
    [{ ...amount, scale: 0 }, '1.5', 'Amount is a whole number: enter it without decimals.'],
    [{ type: 'boolean' } as const, 'ja', 'Enter yes or no.'],
    [{ required: true }, ' \n ', 'Spaces alone are not a value of a required field.'],
    [stage, 'In wrk', '“In wrk” is not a value of Amount. Choose In work, Closed.'],
    [{ type: 'date' } as const, '1.3.26', '1.3.26 is not a date: write it as 2025-12-31.'],
    [{ type: 'datetime' } as const, 'soon', '“soon” is not a date and time: enter it as 2026-01-31 12:00.'],
  ])('%j: %j is explained without words of a schema', (field, value, words) => {
    expect(faultOf(field, value)).toBe(words)
  })

  it.each([
    [amount, '-12.30'],
    [{ type: 'boolean' } as const, false],
    [stage, 'old'],
    [{ type: 'date' } as const, '2026-03-01'],
    [{ type: 'datetime' } as const, '2026-01-31T12:00:00Z'],
    [amount, null],
    [{ required: false }, ' '],
    [{ required: true }, ' x'],
  ])('is not found in %j: %j', (field, value) => {
    expect(faultOf(field, value)).toBeNull()
  })
})
