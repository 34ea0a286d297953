import { describe, expect, it } from 'vitest'
import type { FieldDescription } from '../../api/records.ts'
import { fieldsOfStep, stepProblems } from './step-problems.ts'

const field = (key: string, more: Partial<FieldDescription> = {}): FieldDescription => ({
  ...{ key, label: key.toUpperCase(), type: 'text', aliases: [], required: false, unique: false },
  ...{
    sensitive: false,
    precision: null,
    scale: null,
    valueSet: null,
    labels: null,
    values: null,
    references: null,
  },
  ...{ computed: null, hasDefault: false, editable: true, filling: false, ...more },
})

describe('the problems of a step', () => {
  it('are the required fields without a value or a default', () => {
    const fields = [
      field('a', { required: true }),
      field('b', { required: true, hasDefault: true }),
      field('c'),
      field('d', { required: true, type: 'reference', references: 'x' }),
    ]
    expect(stepProblems(fields, {})).toEqual({ a: 'A is required.', d: 'D is required.' })
    expect(stepProblems(fields, { a: 'x', d: '1' })).toEqual({})
  })

  it('are values that do not have the type of the field', () => {
    const fields = [
      field('net', { type: 'number', precision: 5, scale: 2 }),
      field('day', { type: 'date' }),
      field('at', { type: 'datetime' }),
      field('yes', { type: 'boolean' }),
    ]
    expect(
      stepProblems(fields, { net: '1.50', day: '2026-02-28', at: '2026-01-01T00:00:00Z', yes: false }),
    ).toEqual({})
    const found = stepProblems(fields, { net: 'ten', day: '2026-02-30', at: 'noon' })
    expect(found['net']).toMatch(/^"ten" is not a number/)
    expect(found['day']).toMatch(/February 2026/)
    expect(found['at']).toMatch(/is not a date and time/)
    expect(stepProblems(fields, { net: '1.505' })['net']).toMatch(/too many decimals: NET/)
    expect(stepProblems(fields, { net: '12345.00' })['net']).toMatch(/too large: NET/)
  })
})

describe('the fields of a step', () => {
  it('are those that it places and that the user can enter', () => {
    const item = (key: string, inputs = {}) => ({ id: key, type: 'field' as const, key, inputs })
    const lookup = { id: 'x', type: 'component' as const, key: 'lookup_field', inputs: { field: 'c' } }
    const sections = [{ id: 's', section: '', columns: 1, items: [lookup, item('b'), item('a')] }]
    const fields = [field('a'), field('b', { editable: false }), field('c'), field('d')]
    expect(fieldsOfStep(sections, fields).map(({ key }) => key)).toEqual(['c', 'a'])
  })
})
