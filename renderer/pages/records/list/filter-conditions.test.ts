import { describe, expect, it } from 'vitest'
import { component, components, field, objectOf } from '#kernel/expr/fixture.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import { filterPlan } from '#kernel/records/index.ts'
import type { FieldDescription, RecordValue } from '../../../api/records.ts'
import {
  conditionsOf,
  expressionOf,
  operatorsOf,
  needsValue,
  type FilterOperator,
} from './filter-conditions.ts'

const types = ['text', 'number', 'date', 'datetime', 'boolean', 'enum', 'reference'] as const
const fields = types.map((type) => ({ key: `a_${type}`, type, computed: null, filling: false }))
const samples: Partial<Record<FieldDescription['type'], RecordValue>> = {
  text: 'He said "a && b" \\ é',
  number: '-12.50',
  date: '2026-02-01',
  enum: 'EUR',
  reference: '0198c1b2-0000-7000-8000-000000000000',
}

const view = new MemoryView([
  ...components,
  component('value_set', 'currency', { values: [{ key: 'EUR', label: 'Euro', active: true }] }),
  objectOf(
    'thing',
    types.map((type) =>
      field(`a_${type}`, type, {
        ...(type === 'enum' ? { valueSet: 'currency' } : {}),
        ...(type === 'reference' ? { references: 'customer' } : {}),
      }),
    ),
  ),
])

describe('conditions on fields', () => {
  const all = fields.flatMap((each) =>
    operatorsOf(each).map(
      ({ operator }) => [each.type, operator] as [FieldDescription['type'], FilterOperator],
    ),
  )
  it.each(all)(
    'of type %s with %s are a filter that the server applies, and are read back',
    (type, operator) => {
      const value = needsValue(operator) ? samples[type]! : null
      const expression = expressionOf([{ field: `a_${type}`, operator, value }], fields)
      expect(() => filterPlan(expression, { kind: 'list_filter', object: 'thing' }, view)).not.toThrow()
      expect(conditionsOf(expression, fields)).toEqual([{ field: `a_${type}`, operator, value }])
    },
  )

  it('are joined, and those without a value are left out', () => {
    const expression = expressionOf(
      [
        { field: 'a_text', operator: 'is', value: 'x && y' },
        { field: 'a_number', operator: 'more', value: null },
        { field: 'a_date', operator: 'filled', value: null },
      ],
      fields,
    )
    expect(expression).toBe('a_text == "x && y" && present(a_date)')
    expect(conditionsOf(expression, fields)).toHaveLength(2)
    expect(conditionsOf('', fields)).toEqual([])
  })

  it.each([
    'a_text == "x" || a_number > 1',
    'a_number > config.limits.credit',
    'a_number  >  1',
    'a_text.lower().contains("x")',
    'unknown == "x"',
    'a_reference.name == "x"',
    'a_text == "x',
    '(a_text == "x")',
  ])('%s stays an expression', (expression) => expect(conditionsOf(expression, fields)).toBeNull())
})
