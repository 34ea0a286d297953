// Values of conditions that cannot be compared with their field.
import { expect, it } from 'vitest'
import { conditionFault } from './condition-fault.ts'

const field = (type: 'number' | 'date' | 'text') => ({ type, label: 'Net', values: null, labels: null })

it.each([
  ['number', 'abc', /"abc" is not a number/],
  ['number', '1,234', /./],
  ['number', '0.123456789', null],
  ['number', null, null],
  ['date', '31.02.2024', /February 2024 has 29 days/],
  ['date', '2024-02-01', null],
  ['text', 'abc', null],
] as const)('a %s that is compared with %s', (type, value, fault) => {
  const found = conditionFault(field(type), { operator: 'is', value })
  if (fault === null) expect(found).toBeNull()
  else expect(found).toMatch(fault)
})
