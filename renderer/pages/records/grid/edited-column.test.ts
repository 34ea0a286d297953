// How typed and pasted texts are read by the type of a column of records, and which columns can be edited.
import { describe, expect, it } from 'vitest'
import type { FieldDescription, ObjectDescription } from '../../../api/records.ts'
import type { GridColumn } from '../grid-columns.ts'
import { editedContext, editText, readValue } from './edited-column.ts'
import { whyFixed } from './edit-rule.ts'

const fieldOf = (more: Partial<FieldDescription>): FieldDescription => ({
  ...{ key: 'f', label: 'F', type: 'text', aliases: [], required: false, unique: false, sensitive: false },
  ...{
    precision: null,
    scale: null,
    valueSet: null,
    labels: null,
    values: null,
    references: null,
    computed: null,
  },
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
    ['datetime', '2026-01-31T12:00:30+02:00', '2026-01-31T10:00:30Z'],
    ['datetime', 'noon', 'noon'],
    ['datetime', '', null],
  ] as const)('of type %s: %j is %j', (type, text, value) => {
    const column = columnOf({ type, precision: 34, scale: 29 })
    expect(readValue(column, text, editedContext([column]))).toBe(value)
  })

  const labels = { draft: 'Draft', busy: 'In work', paid: 'Paid', old: 'Paid', lost: 'Written off' }
  const states = columnOf({ type: 'enum', valueSet: 'states', values: ['draft', 'busy', 'paid'], labels })

  it.each([
    ['PAID', 'paid'],
    ['In work', 'busy'],
    ['in WORK', 'busy'],
    ['Written off', 'lost'],
    ['gone', 'gone'],
  ])('of a value set is read by its key or label: %j is %j', (text, value) => {
    expect(readValue(states, text, editedContext([states]))).toBe(value)
  })

  it('of a value set opens as its label, or as its key if several values have the label', () => {
    for (const [key, text] of [
      ['busy', 'In work'],
      ['old', 'old'],
      ['gone', 'gone'],
    ] as const) {
      expect(editText(states, key)).toBe(text)
      expect(readValue(states, text, editedContext([states]))).toBe(key)
    }
  })

  it('of a moment is read in the time zone in which it opens', () => {
    const column = columnOf({ type: 'datetime' })
    const opened = editText(column, '2026-01-31T12:00:00Z')
    expect(opened).toMatch(/^2026-0[12]-[0-9]{2} [0-9]{2}:[0-9]{2}$/)
    expect(readValue(column, opened, editedContext([column]))).toBe('2026-01-31T12:00:00Z')
  })

  it('opens as it is stored, not as it is shown', () => {
    const column = columnOf({ type: 'date' })
    const texts = ['2026-01-31', false, null].map((value) => editText(column, value))
    expect(texts).toEqual(['2026-01-31', 'no', ''])
  })
})

describe('a column that cannot be edited', () => {
  const object = { label: 'Order', rights: { update: true }, remote: null } as ObjectDescription
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
