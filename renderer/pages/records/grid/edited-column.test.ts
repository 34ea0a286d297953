// How typed and pasted texts are read by the type of a column of records, and which columns can be edited.
import { describe, expect, it } from 'vitest'
import type { FieldDescription, ObjectDescription } from '../../../api/records.ts'
import type { GridColumn } from '../grid-columns.ts'
import { editedContext, editText, readValue } from './edited-column.ts'
import { whyFixed } from './edit-rule.ts'

const fieldOf = (more: Partial<FieldDescription>): FieldDescription => ({
  ...{ key: 'f', label: 'F', type: 'text', aliases: [], required: false, unique: false, sensitive: false },
  ...{ precision: null, scale: null, valueSet: null, values: null, references: null, computed: null },
  ...{ hasDefault: false, editable: true, filling: false },
  ...more,
})
const columnOf = (more: Partial<FieldDescription>, along: FieldDescription | null = null): GridColumn => {
  const field = fieldOf(more)
  return { name: field.key, label: field.label, field, along, sortable: true }
}

describe('a text in a column', () => {
  it.each([
    ['number', '0.10000000000000000000000000001', '0.10000000000000000000000000001'],
    ['number', 'a lot', 'a lot'],
    ['number', '', null],
    ['text', ' two words ', ' two words '],
    ['text', '', null],
    ['boolean', 'TRUE', true],
    ['boolean', 'no', false],
    ['boolean', 'perhaps', 'perhaps'],
    ['date', '31.1.2026', '2026-01-31'],
    ['date', '1/2/2026', '1/2/2026'],
    ['datetime', '2026-01-31 12:00', '2026-01-31T12:00:00Z'],
    ['datetime', '2026-01-31T12:00:30+02:00', '2026-01-31T12:00:30+02:00'],
    ['datetime', 'noon', 'noon'],
    ['datetime', '', null],
  ] as const)('of type %s: %j is %j', (type, text, value) => {
    const column = columnOf({ type, precision: 34, scale: 29 })
    expect(readValue(column, text, editedContext([column]))).toBe(value)
  })

  it('of a value set is its key in any case', () => {
    const column = columnOf({ type: 'enum', valueSet: 'states', values: ['draft', 'paid'] })
    expect(readValue(column, 'PAID', editedContext([column]))).toBe('paid')
    expect(readValue(column, 'gone', editedContext([column]))).toBe('gone')
  })

  it('opens as it is stored, not as it is shown', () => {
    expect([editText('2026-01-31'), editText(false), editText(null)]).toEqual(['2026-01-31', 'no', ''])
  })
})

describe('a column that cannot be edited', () => {
  const object = { label: 'Order', rights: { update: true } } as ObjectDescription
  it.each([
    [columnOf({}), null],
    [columnOf({ computed: 'stored_formula' }), /^F is a formula/],
    [columnOf({ computed: 'roll_up' }), /^F is a roll-up/],
    [columnOf({ editable: false }), /can read F, but not change it/],
    [columnOf({}, fieldOf({ label: 'Buyer' })), /Open the record that Buyer names/],
  ] as const)('has a reason (%#)', (column, words) => {
    const why = whyFixed(object, column)
    if (words === null) expect(why).toBeNull()
    else expect(why).toMatch(words)
  })

  it('is every column of an object that the user can only read', () => {
    const readOnly = { ...object, rights: { update: false } } as ObjectDescription
    expect(whyFixed(readOnly, columnOf({}))).toMatch(/not change them/)
  })
})
